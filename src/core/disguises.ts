import { decodeEscapes, type Decoded } from './escapes.ts';
import { SpreadSecrets } from './spread.ts';

/** A place in a text that shows a secret, or enough of one. */
export interface FoundSecret {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** So many characters of a secret in a row are no chance. */
export const telling = 12;
const longRun = new RegExp(`[a-z0-9]{${telling + 4}}`);
const lettersAndDigits = tableOf(/[A-Za-z0-9]/);
const lettersAndMore = tableOf(/[\w-]/);
/** Escapes within escapes, as of a URL in a URL. */
const layers = 3;

/**
 * Finds secrets that were altered before they were shown: in small or capital letters, turned round, in hexadecimal,
 * without their prefix, cut off, with a character changed, in the base64 of such a one, with letters written as escapes, or
 * with something between all characters. Told by pieces of twelve characters, each of which stands in one secret only.
 */
export class Disguises {
  readonly #labels = new Map<string, string>();
  readonly #spread = new SpreadSecrets();
  /** Pieces of which only has to be known whether a text holds one. */
  readonly #watched = new Set<string>();
  /** Which beginnings, middles and ends pieces have; nearly no row of letters has any of them, and needs no closer look. */
  readonly #outlines = new Uint8Array(1 << 15);
  /** Whether the last look at a text came across a piece that is watched. */
  #sees = false;
  /** What secrets are made of: letters and digits, and what stands within those that have few of them in a row. */
  #belongs = lettersAndDigits;

  add(secret: string, label: string): void {
    if (secret.length < telling) return;
    const plain = secret.toLowerCase();
    if (!longRun.test(plain)) this.#belongs = lettersAndMore;
    const turned = Array.from(plain).reverse().join('');
    const hex = [secret, plain, secret.toUpperCase()].map((one) => Buffer.from(one).toString('hex'));
    const base64 = base64Of(secret).map((one) => one.toLowerCase());
    for (const form of [plain, turned, ...hex, ...base64]) this.#addForm(form, label);
    this.#spread.add(secret, label);
  }

  /** From now on a search also says whether a text holds one of these pieces of `telling` small letters, digits and more. */
  watch(pieces: readonly string[]): void {
    for (const piece of pieces) {
      if (/[_-]/.test(piece)) this.#belongs = lettersAndMore;
      this.#watched.add(piece);
      this.#outlines[outlineAt(piece, 0)] = 1;
    }
  }

  /** Where the text shows a secret, and whether one of the pieces that are watched is in it. */
  look(text: string): { readonly found: readonly FoundSecret[]; readonly sees: boolean } {
    if (this.#labels.size + this.#watched.size === 0) return { found: [], sees: false };
    this.#sees = false;
    const plain = this.#findPlain(text);
    const sees = this.#sees;
    const hidden = this.#labels.size > 0 && mayEscape(text) ? this.#findEscaped(text, layers) : none;
    const spread = this.#spread.find(text);
    return { found: hidden.length + spread.length === 0 ? plain : [...plain, ...hidden, ...spread], sees };
  }

  #addForm(form: string, label: string): void {
    for (let at = 0; at + telling <= form.length; at += 1) {
      const piece = form.slice(at, at + telling);
      if (!this.#labels.has(piece)) this.#labels.set(piece, label);
      this.#outlines[outlineAt(piece, 0)] = 1;
    }
  }

  /** Looks at rows of letters and digits that are long enough; from the end of where one may be, so as to read few of them. */
  #findPlain(text: string): readonly FoundSecret[] {
    let found: FoundSecret[] | null = null;
    const belongs = this.#belongs;
    const { length } = text;
    // By hand: an expression takes ten times as long, and this looks at all evidence.
    for (let from = 0, at = telling - 1; at < length; at = from + telling - 1) {
      while (at >= from && belongsAt(text, at, belongs)) at -= 1;
      if (at >= from) {
        from = at + 1;
        continue;
      }
      let to = from + telling;
      while (to < length && belongsAt(text, to, belongs)) to += 1;
      const label = this.#labelIn(text, from, to);
      if (label !== undefined) (found ??= []).push({ ...wordAround(text, from, to), label });
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
      if (!this.#sees && this.#watched.has(piece)) this.#sees = true;
      if (label !== undefined && this.#sees) break;
    }
    return label;
  }

  #findEscaped(text: string, left: number): readonly FoundSecret[] {
    const decoded = left === 0 ? null : decodeEscapes(text);
    if (decoded === null) return none;
    const inside = [...this.#findPlain(decoded.text), ...this.#findEscaped(decoded.text, left - 1)];
    return inside.map((one) => placeOf(one, decoded));
  }
}

/** What is certain of the base64 form of a text in which a part of the secret stands: three ways, by where it starts in a group. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped);
    return whole.toString('base64').slice(0, Math.floor((whole.length * 8) / 6));
  });
}

/** With what hangs on to it, such as the prefix of a key. */
function wordAround(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  let [first, last] = [from, to];
  while (first > 0 && lettersAndMore[text.charCodeAt(first - 1)] === 1) first -= 1;
  while (last < text.length && lettersAndMore[text.charCodeAt(last)] === 1) last += 1;
  return { from: first, to: last };
}

function placeOf({ from, to, label }: FoundSecret, { starts }: Decoded): FoundSecret {
  return { from: starts[from] ?? 0, to: starts[to] ?? 0, label };
}

/** Whether something may be written as an escape by its code; JSON in JSON is full of backslashes that begin none. */
function mayEscape(text: string): boolean {
  return text.includes('%') || text.includes('&') || (text.includes('\\') && /\\[ux]/i.test(text));
}

function belongsAt(text: string, at: number, belongs: Uint8Array): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && belongs[code] === 1;
}

/** Of a piece its first, sixth and last character, in small or capital letters alike. */
function outlineAt(text: string, at: number): number {
  const last = text.charCodeAt(at + telling - 1) & 31;
  return (text.charCodeAt(at) & 31) | ((text.charCodeAt(at + 5) & 31) << 5) | (last << 10);
}

const none: readonly FoundSecret[] = [];

/** Of the ASCII characters: 1 for those that belong to a class. */
function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
}
