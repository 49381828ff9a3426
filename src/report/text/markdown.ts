import { oneLine, printable } from './printable.ts';

// Underscores within a word and lone colons mean nothing in Markdown, so they stay readable in the source.
const special = /[\\`*[\]<>&|~#$@!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)/g;

/** Text that stays plain text inside a Markdown line or table cell. */
export function escapeMarkdown(text: string): string {
  return oneLine(text).replace(special, (character) => `\\${character}`);
}

/** A code block that its content cannot close. */
export function fenced(text: string, language = ''): string {
  const shown = printable(text);
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** Inline code, which its content cannot close. Not for table cells. */
export function code(text: string): string {
  const shown = oneLine(text);
  const runs = new Set([...shown.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const fence = '`'.repeat(length);
  const pad = /^`|`$|^ .* $/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}
