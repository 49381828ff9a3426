import type { FoundSecret } from './disguises.ts';

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
