/**
 * Text that no terminal, browser or parser takes for an instruction: control characters, lone surrogates, and characters that
 * are invisible or change the writing direction are shown as `\u001b`. Line ends and tabs are kept.
 */
export function printable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Like `printable`, on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\r\n|\r|\n/g, '⏎').replace(/\t/g, ' '));
}

/** At most `max` characters, with the original length if cut; whole if that note would be longer than what it replaces. Never splits a surrogate pair. */
export function shorten(text: string, max: number): string {
  const note = `… (${text.length} characters in all)`;
  if (text.length <= max + note.length) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 1)) ? max - 1 : max;
  return text.slice(0, end) + note;
}

const lone = '[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]';
const control = '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]';
const hidden = '[\\u061C\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u2069\\uFEFF\\uFFFE\\uFFFF]';
const unprintable = new RegExp(`${lone}|${control}|${hidden}`, 'g');

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
