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

// Not one of them has an ASCII letter for its capital.
const otherLetter = oneOf('ÄÖñЖдΩن');
const otherDigit = oneOf('٣٤७１７');

/** A family of texts that break the grammar under every reading, with the lookup's rule. */
interface FlightNumberViolation {
  readonly lookupRule: string;
  readonly name: string;
  readonly text: fc.Arbitrary<string>;
}

// QR12345 and Q12 are not here: they are valid, as QR1 with 2345 and as Q1 with 2.
export const flightNumberViolations: readonly FlightNumberViolation[] = [
  { lookupRule: 'FLA-GET-016', name: 'no-digits', text: word(2, 6) },
  {
    lookupRule: 'FLA-GET-017',
    name: 'too-many-digits',
    // The shortest first: the one that a wrong bound lets through.
    text: fc.oneof(
      { weight: 3, arbitrary: joined(word(3, 3), number(5, 5)) },
      { weight: 1, arbitrary: joined(word(2, 2), number(6, 8)) },
    ),
  },
  { lookupRule: 'FLA-GET-018', name: 'prefix-of-one', text: joined(letter, digit) },
  {
    lookupRule: 'FLA-GET-018',
    name: 'prefix-too-long',
    // The shortest first: the one that a wrong bound lets through.
    text: fc.oneof(
      { weight: 4, arbitrary: joined(word(4, 4), number(1, 4)) },
      { weight: 1, arbitrary: joined(word(5, 6), number(1, 4)) },
    ),
  },
  {
    lookupRule: 'FLA-GET-039',
    name: 'letter-after-digits',
    text: joined(letter, letter, number(1, 3), letter),
  },
  {
    lookupRule: 'FLA-GET-019',
    name: 'foreign-character',
    text: fc.oneof(
      joined(word(2, 2), oneOf('_./!*'), number(1, 4)),
      joined(word(2, 2), number(1, 3), oneOf('!*_')),
    ),
  },
  {
    lookupRule: 'FLA-GET-042',
    name: 'digits-beyond-ascii',
    text: joined(word(2, 2), otherDigit, otherDigit),
  },
  {
    lookupRule: 'FLA-GET-042',
    name: 'letters-beyond-ascii',
    text: joined(letter, otherLetter, number(2, 4)),
  },
];
