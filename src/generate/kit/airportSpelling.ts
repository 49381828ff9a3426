import * as fc from 'fast-check';

/** Other spellings of a three-letter airport code: case of each letter, white space around it. */
export function airportSpelling(code: string): fc.Arbitrary<string> {
  const letters = Array.from(code, (letter) => fc.constantFrom(letter, letter.toLowerCase()));
  const spaces = fc.constantFrom('', ' ', '  ', '\t', '\n');
  return fc
    .tuple(spaces, fc.tuple(...letters), spaces)
    .map(([before, spelled, after]) => before + spelled.join('') + after);
}
