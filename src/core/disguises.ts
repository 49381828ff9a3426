import { decodeEscapes, type Decoded } from './escapes.ts';

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
 * without their prefix, cut off, with a character changed, or with letters written as escapes. Told by pieces of twelve
 * characters, each of which stands in one secret only.
 */
export class Disguises {
  readonly #labels = new Map<string, string>();
  /** Pieces of which only has to be known whether a text holds one. */
  readonly #watched = new Set<string>();
  /** What the last look at a text came across: a piece that is watched, and what may begin an escape. */
  #sees = false;
  #mayEscape = false;
  /** What secrets are made of: letters and digits, and what stands within those that have few of them in a row. */
  #belongs = lettersAndDigits;

  add(secret: string, label: string): void {
    if (secret.length < telling) return;
    const plain = secret.toLowerCase();
    if (!longRun.test(plain)) this.#belongs = lettersAndMore;
    const turned = Array.from(plain).reverse().join('');
    const hex = [secret, plain, secret.toUpperCase()].map((one) => Buffer.from(one).toString('hex'));
    for (const form of [plain, turned, ...hex]) this.#addForm(form, label);
  }

  /** From now on a search also says whether a text holds one of these pieces of `telling` small letters, digits and more. */
  watch(pieces: readonly string[]): void {
    for (const piece of pieces) {
      if (/[_-]/.test(piece)) this.#belongs = lettersAndMore;
      this.#watched.add(piece);
    }
  }

  /** Where the text shows a secret, and whether one of the pieces that are watched is in it. */
  look(text: string): { readonly found: readonly FoundSecret[]; readonly sees: boolean } {
    if (this.#labels.size + this.#watched.size === 0) return { found: [], sees: false };
    this.#forget();
    const plain = this.#findPlain(text);
    const sees = this.#sees;
    const hidden = this.#mayEscape && this.#labels.size > 0 ? this.#findEscaped(text, layers) : [];
    return { found: hidden.length === 0 ? plain : [...plain, ...hidden], sees };
  }

  #forget(): void {
    [this.#sees, this.#mayEscape] = [false, false];
  }

  #addForm(form: string, label: string): void {
    for (let at = 0; at + telling <= form.length; at += 1) {
      const piece = form.slice(at, at + telling);
      if (!this.#labels.has(piece)) this.#labels.set(piece, label);
    }
  }

  #findPlain(text: string): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    const belongs = this.#belongs;
    const { length } = text;
    // By hand: an expression takes ten times as long, and this looks at every line of evidence.
    for (let at = 0, from = 0; at <= length; at += 1) {
      const code = at < length ? text.charCodeAt(at) : 0;
      if (code < 128) {
        const kind = belongs[code];
        if (kind === 1) continue;
        if (kind === 2) this.#mayEscape ||= code !== 92 || isEscaped(text, at);
      }
      const label = at - from < telling ? undefined : this.#labelIn(text.slice(from, at).toLowerCase());
      if (label !== undefined) found.push({ ...wordAround(text, from, at), label });
      from = at + 1;
    }
    return found;
  }

  #labelIn(run: string): string | undefined {
    let label: string | undefined;
    for (let at = 0; at + telling <= run.length; at += 1) {
      const piece = run.slice(at, at + telling);
      label ??= this.#labels.get(piece);
      if (!this.#sees && this.#watched.has(piece)) this.#sees = true;
      if (label !== undefined && this.#sees) break;
    }
    return label;
  }

  #findEscaped(text: string, left: number): readonly FoundSecret[] {
    const decoded = left === 0 ? null : decodeEscapes(text);
    if (decoded === null) return [];
    const inside = [...this.#findPlain(decoded.text), ...this.#findEscaped(decoded.text, left - 1)];
    return inside.map((one) => placeOf(one, decoded));
  }
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

/** Whether the backslash escapes a character by its code; not what JSON in JSON is full of. */
function isEscaped(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === lowerU || next === lowerU - 32 || next === lowerX || next === lowerX - 32;
}

const lowerU = 117;
const lowerX = 120;

/** Of the ASCII characters: 1 for those that belong to a class, 2 for those that begin escapes, 0 for the others. */
function tableOf(characters: RegExp): Uint8Array {
  const kindOf = (character: string) => (characters.test(character) ? 1 : '%\\&'.includes(character) ? 2 : 0);
  return Uint8Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));
}
