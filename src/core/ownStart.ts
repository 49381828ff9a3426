/** The start of a text as a text of its own: a mere slice would keep the whole, which may be megabytes, in memory. */
export function ownStart(text: string, length: number): string {
  return text.length <= length ? text : structuredClone(text.slice(0, length));
}

/** The same for a text that is shown: what is left out is counted. */
export function shownStart(text: string, length: number): string {
  return text.length <= length ? text : `${ownStart(text, length)}… (${text.length} characters in all)`;
}
