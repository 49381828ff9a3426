import type { FoundSecret } from './disguises.ts';

/**
 * The source of a regular expression for all forms in which a recording may contain a secret: plain, escaped in JSON (also JSON
 * within JSON, and by encoders that escape more than necessary), in a URL or form, as base64.
 */
export function secretPattern(secret: string): string {
  return [
    Array.from(secret.matchAll(parts), patternOfPart).join(''),
    ...base64Parts(secret).map(patternOfBase64),
  ].join('|');
}

/**
 * For each form of a secret, a run of `length` characters in lower case that occurs in every text with that form: letters and
 * digits, in the secret itself also `_` and `-`. Null if a form has no such run.
 */
export function anchorsOf(secret: string, length: number): readonly string[] | null {
  const plain = rowOf(secret, length, [/[a-z0-9]+/gi, /[\w-]+/g]);
  const anchors = [plain, ...base64Parts(secret).map((part) => rowOf(part, length, [/[a-z0-9]+/gi]))];
  return anchors.every((anchor) => anchor !== undefined) ? anchors : null;
}

function rowOf(form: string, length: number, kinds: readonly RegExp[]): string | undefined {
  const rows = kinds.flatMap((kind) => form.match(kind) ?? []);
  return rows
    .find((row) => row.length >= length)
    ?.slice(0, length)
    .toLowerCase();
}

const controls: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\f': 'f',
  '\r': 'r',
};

/** A character, with all backslashes in a row before it. */
const parts = /(\\*)([^\\])|\\+$/gu;

/**
 * As each backslash may be any number of them, so may a row of them. Looked for one by one, or with further ones before the
 * character behind it, a row could be shared among them in more ways than can be tried.
 */
function patternOfPart([whole, row = whole, character = '']: RegExpExecArray): string {
  if (row === '') return spellingsOf(character);
  const rest = character === '' ? '' : spellingsOf(character);
  const bare = character === '' ? '' : spellingsOf(character, '');
  const forms = [String.raw`\\{1,8}u005[cC]`, '%(?:25)*5[cC]'].map(
    (form) => `(?:${form}){${row.length}}${rest}`,
  );
  return `(?:${[String.raw`(?<!\\)\\{${row.length},}${bare}`, ...forms].join('|')})`;
}

/**
 * Letters and digits are written as they are everywhere; anything else may be escaped, several times over: with any number of
 * backslashes before it, unless these are looked for already.
 */
function spellingsOf(character: string, backslashes?: ''): string {
  if (/^[\w-]$/.test(character)) return escapeRegExp(character);
  const bytes = [...Buffer.from(character)];
  const control = controls[character];
  const [some, more] = [backslashes ?? String.raw`\\{0,7}`, backslashes ?? String.raw`\\{1,8}`];
  const spellings = [
    ...(control === undefined ? [] : [`${more}${control}`]),
    `${some}${escapeRegExp(character)}`,
    unitsOf(character)
      .map((unit, index) => `${index === 0 ? more : String.raw`\\{1,8}`}u${hex(unit, 4)}`)
      .join(''),
    bytes.map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
    ...(character === ' ' ? [String.raw`\+`] : []),
    // UTF-8 that was read as Latin-1, as in header fields.
    ...(bytes.length > 1 ? [escapeRegExp(String.fromCharCode(...bytes))] : []),
  ];
  return `(?:${spellings.join('|')})`;
}

function unitsOf(character: string): readonly number[] {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
}

/** Shorter ones would match words by coincidence. */
const shortestBase64 = 8;

/** The parts of the base64 form that do not depend on what surrounds the secret, for each of the three alignments. */
function base64Parts(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2]
    .map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    })
    .filter((part) => part.length >= shortestBase64);
}

function patternOfBase64(part: string): string {
  return part.replaceAll('+', '(?:[+-]|%2[Bb])').replaceAll('/', String.raw`(?:\\{0,7}[/_]|%2[Ff])`);
}

/** Hexadecimal digits in either case. */
function hex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** The longest secret that is looked for in every spelling: an expression for a longer one cannot be made, or takes too long. */
const longestSpelt = 2_048;

/** Whether an expression for a secret would take too long: for its length, or since it would begin to match nearly everywhere. */
export function isBeyondExpressions(secret: string): boolean {
  return secret.length > longestSpelt || repeatsItself(secret);
}

/**
 * Secrets that are no credential in use, such as a callback key of a megabyte or of a thousand times one letter: looked for as they
 * are, and as JSON has them, in time that grows with the text only.
 */
export class LongSecrets {
  readonly #forms = new Map<string, Form>();

  get size(): number {
    return this.#forms.size;
  }

  add(secret: string, label: string): void {
    for (const text of [secret, JSON.stringify(secret).slice(1, -1)])
      this.#forms.set(text, new Form(text, label));
  }

  /** The places where one stands; those of the same that overlap are one place. */
  find(text: string): readonly FoundSecret[] {
    return [...this.#forms.values()].flatMap((form) => form.find(text));
  }
}

/** How much of it has to be there for the rest to be looked for. */
const telling = 64;

class Form {
  readonly #text: string;
  readonly #label: string;
  #sought: Sought | null = null;

  constructor(text: string, label: string) {
    [this.#text, this.#label] = [text, label];
  }

  find(text: string): readonly FoundSecret[] {
    const first = text.indexOf(this.#text.slice(0, telling));
    if (first < 0) return [];
    const sought = (this.#sought ??= { text: this.#text, overlaps: overlapsOf(this.#text) });
    const { length } = sought.text;
    const found: FoundSecret[] = [];
    for (let at = first, same = 0; at < text.length; at += 1) {
      same = furtherOverlap(sought, same, text.charCodeAt(at));
      if (same < length) continue;
      const last = found.at(-1);
      const from = at + 1 - length;
      if (last && from < last.to) found[found.length - 1] = { ...last, to: at + 1 };
      else found.push({ from, to: at + 1, label: this.#label });
      same = sought.overlaps[length - 1] ?? 0;
    }
    return found;
  }
}

/**
 * For each beginning of a text, how much of its end is a beginning of the text again: where a search for the text goes on after as
 * much of it was found (Knuth, Morris and Pratt), so that no letter is looked at twice.
 */
function overlapsOf(text: string): Int32Array {
  const overlaps = new Int32Array(text.length);
  for (let at = 1, same = 0; at < text.length; at += 1) {
    same = furtherOverlap({ text, overlaps }, same, text.charCodeAt(at));
    overlaps[at] = same;
  }
  return overlaps;
}

/** A text that is looked for. */
interface Sought {
  readonly text: string;
  readonly overlaps: Int32Array;
}

/** How much of it has been found with one more letter, after `same` letters were; less than its length before. */
function furtherOverlap({ text, overlaps }: Sought, same: number, letter: number): number {
  let left = same;
  while (left > 0 && text.charCodeAt(left) !== letter) left = overlaps[left - 1] ?? 0;
  return text.charCodeAt(left) === letter ? left + 1 : 0;
}

/** Beginnings shorter than this are compared soon enough however often they occur. */
const shortest = 64;
const mostRepeats = 8;

/** Whether a text begins with many repetitions of a few letters, as no credential does. */
function repeatsItself(text: string): boolean {
  if (text.length < shortest) return false;
  return overlapsOf(text).some((same, at) => at + 1 >= shortest && (at + 1 - same) * mostRepeats < at + 1);
}
