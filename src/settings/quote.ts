/** A value as an error message shows it: on one line, quoted, cut off after 80 characters; not at all if it may be a key. */
export function quote(text: string): string {
  if (looksLikeKey(text)) return 'text that may be a key (not shown)';
  const line = JSON.stringify(text);
  return line.length <= 82 ? line : `${line.slice(0, 80)}…"`;
}

/** Whether text may be a pasted credential: long, unbroken, of letters and digits. */
export function looksLikeKey(text: string): boolean {
  const bare = text.replace(/^(?:bearer|basic|token|apikey)\s+/i, '');
  const scheme = bare !== text;
  const unbroken = /^[\w+/=.~-]{20,}$/.test(bare) && /\d/.test(bare) && /[A-Za-z]/.test(bare);
  return scheme || unbroken;
}
