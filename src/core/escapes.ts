/** A text without its escapes, and the original position of each of its characters; the last position is that of the end. */
export interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

/** `%41`, `\u0041`, `\u{41}`, `\x41`, `&#65;`, `&#x41;`: letters and digits that are needlessly written as codes. */
const escape =
  /%([0-9a-f]{2})|(?<!\\)\\+u\{?00([0-9a-f]{2})\}?|(?<!\\)\\+x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});/gi;
/** The code of a letter or digit, after what starts the escape; a percent sign may itself be escaped. */
const telling = /(?:25)*(?:3\d|[46][1-9a-f]|[57][\da])/iy;

/** Decodes escaped letters and digits; null if there are none. */
export function decodeEscapes(text: string): Decoded | null {
  if (!mayHold(text)) return null;
  const starts: number[] = [];
  let decoded = '';
  let last = 0;
  const copy = (until: number) => {
    decoded += text.slice(last, until);
    for (let at = last; at < until; at += 1) starts.push(at);
  };
  for (const match of text.matchAll(escape)) {
    copy(match.index);
    starts.push(match.index);
    decoded += String.fromCharCode(codeOf(match));
    last = match.index + match[0].length;
  }
  if (last === 0) return null;
  copy(text.length);
  starts.push(text.length);
  return { text: decoded, starts };
}

/** A cheap first look, since nearly every text contains no escaped letter or digit. */
function mayHold(text: string): boolean {
  return text.includes('&#') || openers.some((opener) => hasTelling(text, opener));
}

const openers = ['%', 'u00', 'u{00', '\\x'];

function hasTelling(text: string, opener: string): boolean {
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
    telling.lastIndex = at + opener.length;
    if (telling.test(text)) return true;
  }
  return false;
}

function codeOf([, percent, unicode, short, hex, decimal]: RegExpExecArray): number {
  if (decimal !== undefined) return Number(decimal);
  return Number.parseInt(percent ?? unicode ?? short ?? hex ?? '0', 16);
}
