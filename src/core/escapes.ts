/** A text without its escapes, and the original position of each of its characters; the last position is that of the end. */
export interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

/** `%41`, `\u0041`, `\u{41}`, `\x41`, `&#65;`, `&#x41;`: characters that are needlessly written as codes. */
const escape =
  /%([0-9a-f]{2})|(?<!\\)\\+u\{?00([0-9a-f]{2})\}?|(?<!\\)\\+x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});/gi;
/** The code of a character, after what starts the escape; a percent sign may itself be escaped. */
const code = /(?:25)*([0-9a-f]{2})/iy;

/** Decodes a text in which a character with one of these codes is escaped; null if there is none. */
export function decodeEscapes(text: string, codes: ReadonlySet<number>): Decoded | null {
  if (!mayHold(text, codes)) return null;
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

/** A cheap first look, since nearly every text contains no such escape. */
function mayHold(text: string, codes: ReadonlySet<number>): boolean {
  return text.includes('&#') || openers.some((opener) => isEscaped(text, opener, codes));
}

const openers = ['%', 'u00', 'u{00', '\\x'];

function isEscaped(text: string, opener: string, codes: ReadonlySet<number>): boolean {
  for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
    code.lastIndex = at + opener.length;
    const found = code.exec(text)?.[1];
    if (found !== undefined && codes.has(Number.parseInt(found, 16))) return true;
  }
  return false;
}

function codeOf([, percent, unicode, short, hex, decimal]: RegExpExecArray): number {
  if (decimal !== undefined) return Number(decimal);
  return Number.parseInt(percent ?? unicode ?? short ?? hex ?? '0', 16);
}
