import * as fc from 'fast-check';
import { oneOf } from '../kit/text.ts';

const letter = oneOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const digit = oneOf('123456789');
const number = (minLength: number, maxLength: number) => fc.string({ unit: digit, minLength, maxLength });
const word = (minLength: number, maxLength: number) => fc.string({ unit: letter, minLength, maxLength });
const joined = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((texts) => texts.join(''));

/**
 * Flight numbers that the grammar allows: two or three letters and digits, then one to four digits. Without zeros, whose
 * removal is open for some prefixes (FLA-OPN-004), and never of digits alone.
 */
export const validFlightNumber: fc.Arbitrary<string> = fc.oneof(
  joined(word(2, 3), number(1, 4)),
  joined(letter, digit, number(1, 4)),
  joined(digit, letter, number(1, 4)),
  joined(letter, digit, letter, number(1, 4)),
);

/**
 * Other spellings of a canonical flight number (upper case, no separators, no leading zero): case, spaces, hyphens, and
 * zeros before the digits where the airline code has two letters.
 */
export function flightNumberSpelling(canonical: string): fc.Arbitrary<string> {
  const twoLetters = /^[A-Z]{2}\d/.test(canonical);
  const zeros = twoLetters ? fc.string({ unit: fc.constant('0'), maxLength: 5 }) : fc.constant('');
  return zeros.chain((padding) => spelled(`${canonical.slice(0, 2)}${padding}${canonical.slice(2)}`));
}

function spelled(text: string): fc.Arbitrary<string> {
  const characters = Array.from(text, (character) =>
    fc.tuple(separator, fc.constantFrom(character, character.toLowerCase())),
  );
  return fc.tuple(fc.tuple(...characters), separator).map(([pairs, end]) => pairs.flat().join('') + end);
}

// U+0020 and U+002D only: whether other dashes and spaces are removed is not said.
const separator = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '-', '  ', ' - ') },
);
