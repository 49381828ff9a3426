import * as fc from 'fast-check';

/** One character of the text. */
export function oneOf(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters));
}
