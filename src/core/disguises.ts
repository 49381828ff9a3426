/** A place in a text that shows a secret, or enough of one. */
export interface FoundSecret {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A match of this many consecutive characters of a secret is no coincidence. */
export const telling = 12;
const longRun = new RegExp(`[a-z0-9]{${telling + 4}}`);
const lettersAndDigits = tableOf(/[A-Za-z0-9]/);
const lettersAndMore = tableOf(/[\w-]/);
const anyLetters = Array.from({ length: 128 }, (_, code) => code).filter(
  (code) => lettersAndDigits[code] === 1,
);
/** How many levels of nested escapes are decoded, as of a URL within a URL. */
const layers = 3;

/**
 * Finds secrets that were altered before they were shown: in other letter case, in hexadecimal, in base64, without their
 * beginning or end, with one character changed, or with letters written as escapes. It looks for pieces of twelve characters.
 */
export class Disguises {
  readonly #labels = new Map<string, string>();
  /** Pieces for which only their presence in a text matters. */
  readonly #watched = new Set<string>();
  /** Outlines of all pieces. Few runs of letters match one, so few need a closer look. */
  readonly #outlines = new Uint8Array(1 << 15);
  /** The watched pieces that were found in the text that is searched. */
  #seen = new Set<string>();
  /** Characters that secrets consist of: letters and digits, and `_` and `-` once a secret has only short runs of those. */
  #belongs = lettersAndDigits;
  /** Characters whose escapes are decoded: those of which secrets consist. */
  readonly #codes = new Set(anyLetters);

  add(secret: string, label: string): void {
    for (const byte of Buffer.from(secret)) this.#codes.add(byte);
    if (secret.length < telling) return;
    const plain = secret.toLowerCase();
    if (!longRun.test(plain)) this.#belongs = lettersAndMore;
    const hex = [secret, plain, secret.toUpperCase()].map((one) => Buffer.from(one).toString('hex'));
    const base64 = base64Of(Buffer.from(secret)).map((one) => one.toLowerCase());
    for (const form of [plain, ...hex, ...base64]) this.#addForm(form, label);
  }

  /** From now on a search also reports which of these lower-case pieces of length `telling` a text contains. */
  watch(pieces: Iterable<string>): void {
    for (const piece of pieces) {
      if (/[_-]/.test(piece)) this.#belongs = lettersAndMore;
      this.#watched.add(piece);
      this.#outlines[outlineAt(piece, 0)] = 1;
    }
  }

  /** Where the text shows a secret, which watched pieces it contains, and the text without its escapes. */
  look(text: string): Looked {
    if (this.#labels.size + this.#watched.size === 0) return { found: none, seen: this.#seen, decoded: [] };
    if (this.#seen.size > 0) this.#seen = new Set();
    const plain = this.#findPlain(text);
    const decoded = this.#labels.size > 0 && mayEscape(text) ? this.#decoded(text) : [];
    const hidden = inLayers(decoded, (inner) => this.#findPlain(inner));
    return { found: hidden.length === 0 ? plain : [...plain, ...hidden], seen: this.#seen, decoded };
  }

  #addForm(form: string, label: string): void {
    for (let at = 0; at + telling <= form.length; at += 1) {
      const piece = form.slice(at, at + telling);
      if (!this.#labels.has(piece)) this.#labels.set(piece, label);
      this.#outlines[outlineAt(piece, 0)] = 1;
    }
  }

  /**
   * Searches the runs of letters and digits that are long enough. It scans backwards from where a run would have to end, so that
   * it reads few characters.
   */
  #findPlain(text: string): readonly FoundSecret[] {
    let found: FoundSecret[] | null = null;
    const belongs = this.#belongs;
    const { length } = text;
    // Written by hand: a regular expression takes ten times as long, and this searches all evidence.
    // A word is replaced whole: of the runs in it only the first needs to be told, however many there are.
    let wordEnd = 0;
    for (let from = 0, at = telling - 1; at < length; at = from + telling - 1) {
      while (at >= from && belongsAt(text, at, belongs)) at -= 1;
      if (at >= from) {
        from = at + 1;
        continue;
      }
      let to = from + telling;
      while (to < length && belongsAt(text, to, belongs)) to += 1;
      const label = this.#labelIn(text, from, to);
      if (label !== undefined && to > wordEnd) {
        const word = wordAround(text, from, to);
        (found ??= []).push({ ...word, label });
        wordEnd = word.to;
      }
      from = to + 1;
    }
    return found ?? none;
  }

  #labelIn(text: string, from: number, to: number): string | undefined {
    let label: string | undefined;
    for (let at = from; at + telling <= to; at += 1) {
      if (this.#outlines[outlineAt(text, at)] === 0) continue;
      const piece = text.slice(at, at + telling).toLowerCase();
      label ??= this.#labels.get(piece);
      if (this.#watched.has(piece)) this.#seen.add(piece);
    }
    return label;
  }

  /** The text without its escapes, and again without those that this brings to light. */
  #decoded(text: string): readonly Decoded[] {
    const found: Decoded[] = [];
    for (let inner = decodeEscapes(text, this.#codes); inner && found.length < layers;) {
      found.push(inner);
      inner = decodeEscapes(inner.text, this.#codes);
    }
    return found;
  }
}

/** What a search of a text brings. */
interface Looked {
  readonly found: readonly FoundSecret[];
  readonly seen: ReadonlySet<string>;
  /** The text without its escapes, layer by layer; empty if it has none. */
  readonly decoded: readonly Decoded[];
}

/** What a search finds in the layers of a text without its escapes, with its place in the text itself. */
export function inLayers(
  layers: readonly Decoded[],
  find: (text: string) => readonly FoundSecret[],
): readonly FoundSecret[] {
  if (layers.length === 0) return none;
  return layers.flatMap(({ text }, depth) =>
    find(text).map((one) => layers.slice(0, depth + 1).reduceRight(placeOf, one)),
  );
}

/** The parts of the base64 form that do not depend on what surrounds these bytes, for each of the three alignments. */
function base64Of(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped);
    return whole.toString('base64').slice(0, Math.floor((whole.length * 8) / 6));
  });
}

/** Extends a match to the whole word, such as the prefix of a key. */
function wordAround(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  let [first, last] = [from, to];
  while (first > 0 && lettersAndMore[text.charCodeAt(first - 1)] === 1) first -= 1;
  while (last < text.length && lettersAndMore[text.charCodeAt(last)] === 1) last += 1;
  return { from: first, to: last };
}

function placeOf({ from, to, label }: FoundSecret, { starts }: Decoded): FoundSecret {
  return { from: starts[from] ?? 0, to: starts[to] ?? 0, label };
}

/** Whether a text may contain escaped characters. JSON within JSON is full of backslashes that start no such escape. */
function mayEscape(text: string): boolean {
  return text.includes('%') || text.includes('&#') || (text.includes('\\') && /\\[ux]/i.test(text));
}

function belongsAt(text: string, at: number, belongs: Uint8Array): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && belongs[code] === 1;
}

/** The first, sixth and last character of a piece, ignoring case. */
function outlineAt(text: string, at: number): number {
  const last = text.charCodeAt(at + telling - 1) & 31;
  return (text.charCodeAt(at) & 31) | ((text.charCodeAt(at + 5) & 31) << 5) | (last << 10);
}

const none: readonly FoundSecret[] = [];

/** A table of the ASCII characters: 1 for those of the class. */
function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
}

/** A text without its escapes, and the original position of each of its characters; the last position is that of the end. */
interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

/** `%41`, `\u0041`, `\u{41}`, `\x41`, `&#65;`, `&#x41;`: characters that are needlessly written as codes. */
const escape =
  /%([0-9a-f]{2})|(?<!\\)\\+u\{?00([0-9a-f]{2})\}?|(?<!\\)\\+x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});/gi;
/** The code of a character, after what starts the escape; a percent sign may itself be escaped. */
const code = /(?:25)*([0-9a-f]{2})/iy;

/** Decodes a text in which a character with one of these codes is escaped; null if there is none. */
function decodeEscapes(text: string, codes: ReadonlySet<number>): Decoded | null {
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
