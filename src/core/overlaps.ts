/**
 * For each beginning of a text, how much of its end is a beginning of the text again: where a search for the text goes on after as
 * much of it was found (Knuth, Morris and Pratt), so that no letter is looked at twice.
 */
export function overlapsOf(text: string): Int32Array {
  const overlaps = new Int32Array(text.length);
  for (let at = 1, same = 0; at < text.length; at += 1) {
    same = furtherOverlap({ text, overlaps }, same, text.charCodeAt(at));
    overlaps[at] = same;
  }
  return overlaps;
}

/** A text that is looked for. */
export interface Sought {
  readonly text: string;
  readonly overlaps: Int32Array;
}

/** How much of it has been found with one more letter, after `same` letters were; less than its length before. */
export function furtherOverlap({ text, overlaps }: Sought, same: number, letter: number): number {
  let left = same;
  while (left > 0 && text.charCodeAt(left) !== letter) left = overlaps[left - 1] ?? 0;
  return text.charCodeAt(left) === letter ? left + 1 : 0;
}

/** Beginnings shorter than this are compared soon enough however often they occur. */
const shortest = 64;
const mostRepeats = 8;

/** Whether a text begins with many repetitions of a few letters, as no credential does. */
export function repeatsItself(text: string): boolean {
  if (text.length < shortest) return false;
  return overlapsOf(text).some((same, at) => at + 1 >= shortest && (at + 1 - same) * mostRepeats < at + 1);
}
