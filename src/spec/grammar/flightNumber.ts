import * as fc from 'fast-check';
import { oneOf } from '../kit/characters.ts';
import { rewriteBy, setTo } from '../kit/mutation.ts';
import { doubtful, fault, free, open, texts, type Form } from './form.ts';

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

const compact = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();

const upper = (text: string) => text.replace(/[ -]/g, '').toUpperCase();

/** In any reading of zeros and separators. */
function isValid(cleaned: string): boolean {
  return (
    /^[A-Z0-9]{2,3}\d{1,4}$/.test(cleaned.replace(/^(..)0+/, '$1')) ||
    /^[A-Z0-9]{2,3}0*\d{1,4}$/.test(cleaned)
  );
}

/** Fits a text whose cleaned form is no flight number and like this. */
function broken(pattern: RegExp): Form['fits'] {
  return texts((text) => !isValid(compact(text)) && pattern.test(compact(text)));
}

/** The forms of a flight number, by the rows of the lookup; `rowOf` gives those of another operation. */
export function flightNumberForms(rowOf: (lookupRow: string) => string): readonly Form[] {
  const family = (
    form: typeof fault,
    row: string,
    name: string,
    fits: Form['fits'],
    text: fc.Arbitrary<string>,
  ) =>
    form(
      rowOf(row),
      name,
      fits,
      rewriteBy(
        'flightNumber',
        text.map((value) => () => value),
      ),
    );
  return [
    // Whether other dashes, spaces, digits and letters are read is not stated.
    family(
      doubtful,
      'FLA-GET-042',
      'digits-beyond-ascii',
      broken(/(?![0-9])\p{Nd}/u),
      joined(word(2, 2), otherDigit, otherDigit),
    ),
    family(
      doubtful,
      'FLA-GET-042',
      'letters-beyond-ascii',
      broken(/[^\x20-\x7e]/),
      joined(letter, otherLetter, number(2, 4)),
    ),
    family(
      fault,
      'FLA-GET-019',
      'foreign-character',
      broken(/[^A-Z0-9]/),
      fc.oneof(
        joined(word(2, 2), oneOf('_./!*'), number(1, 4)),
        joined(word(2, 2), number(1, 3), oneOf('!*_')),
      ),
    ),
    family(fault, 'FLA-GET-016', 'no-digits', broken(/^\D*$/), word(2, 6)),
    family(
      fault,
      'FLA-GET-039',
      'letter-after-digits',
      broken(/^[A-Z]{2,3}\d+[A-Z]+$/),
      joined(letter, letter, number(1, 3), letter),
    ),
    // QR12345 and Q12 are not here: they are valid, as QR1 with 2345 and as Q1 with 2.
    family(
      fault,
      'FLA-GET-017',
      'too-many-digits',
      broken(/^[A-Z]{2,3}\d+$/),
      // The shortest first: the one that a wrong bound lets through.
      fc.oneof(
        { weight: 3, arbitrary: joined(word(3, 3), number(5, 5)) },
        { weight: 1, arbitrary: joined(word(2, 2), number(6, 8)) },
      ),
    ),
    family(fault, 'FLA-GET-018', 'prefix-of-one', broken(/^[A-Z]\d?$/), joined(letter, digit)),
    family(
      fault,
      'FLA-GET-018',
      'prefix-too-long',
      broken(/^[A-Z]{4,}\d+$/),
      // The shortest first: the one that a wrong bound lets through.
      fc.oneof(
        { weight: 4, arbitrary: joined(word(4, 4), number(1, 4)) },
        { weight: 1, arbitrary: joined(word(5, 6), number(1, 4)) },
      ),
    ),
    free(
      rowOf('FLA-GET-014'),
      'flightNumber-in-other-spelling',
      texts((text) => /^[A-Z0-9]{2,3}[1-9]\d{0,3}$/.test(upper(text)) && text !== upper(text)),
      rewriteBy(
        'flightNumber',
        fc.constant((valid) => ` ${upper(valid).toLowerCase()}-`),
      ),
    ),
    open('flightNumber-otherwise', broken(/./), setTo('flightNumber', 'A1B2C3D4', '123456789')),
  ];
}
