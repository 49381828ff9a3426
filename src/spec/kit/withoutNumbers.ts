import type { Json } from '../../trace/json.ts';

/**
 * A text for people with `#` in place of each word that has a digit in it: counts, times, references; any other value as it is. In
 * two steps: one expression for such words would try every letter of a long word without a digit as its beginning, which takes
 * minutes at a megabyte.
 */
export function withoutNumbers(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/[\p{L}\p{N}]+/gu, (word) => (/\p{N}/u.test(word) ? '#' : word));
}
