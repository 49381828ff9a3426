import { either, joined, word } from '../kit/characters.ts';
import { type Make, mapped, rewriteBy, setTo } from '../kit/mutation.ts';
import { doubtful, fault, free, open, texts, type Form } from './form.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = (least: number, most = least) => word(alphabet, least, most);
/** Without zeros, whose removal is open for some prefixes (FLA-OPN-004). */
const digits = (least: number, most = least) => word('123456789', least, most);

// Not one of them has an ASCII letter for its capital.
const otherLetter = word('ÄÖñЖдΩن', 1);
const otherDigits = word('٣٤७１７', 2);

const compact = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();

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
  const family = (form: typeof fault, row: string, name: string, fits: Form['fits'], text: Make<string>) =>
    form(
      rowOf(row),
      name,
      fits,
      rewriteBy(
        'flightNumber',
        mapped(text, (value) => () => value),
      ),
    );
  return [
    // Whether other dashes, spaces, digits and letters are read is not stated.
    family(
      doubtful,
      'FLA-GET-042',
      'digits-beyond-ascii',
      broken(/(?![0-9])\p{Nd}/u),
      joined(letters(2), otherDigits),
    ),
    family(
      doubtful,
      'FLA-GET-042',
      'letters-beyond-ascii',
      broken(/[^\x20-\x7e]/),
      joined(letters(1), otherLetter, digits(2, 4)),
    ),
    family(
      fault,
      'FLA-GET-019',
      'foreign-character',
      broken(/[^A-Z0-9]/),
      either(
        { weight: 1, arbitrary: joined(letters(2), word('_./!*', 1), digits(1, 4)) },
        { weight: 1, arbitrary: joined(letters(2), digits(1, 3), word('!*_', 1)) },
      ),
    ),
    family(fault, 'FLA-GET-016', 'no-digits', broken(/^\D*$/), letters(2, 6)),
    family(
      fault,
      'FLA-GET-039',
      'letter-after-digits',
      broken(/^[A-Z]{2,3}\d+[A-Z]+$/),
      joined(letters(2), digits(1, 3), letters(1)),
    ),
    // QR12345 and Q12 are not here: they are valid, as QR1 with 2345 and as Q1 with 2.
    family(
      fault,
      'FLA-GET-017',
      'too-many-digits',
      broken(/^[A-Z]{2,3}\d+$/),
      // The shortest first: the one that a wrong bound lets through.
      either(
        { weight: 3, arbitrary: joined(letters(3), digits(5)) },
        { weight: 1, arbitrary: joined(letters(2), digits(6, 8)) },
      ),
    ),
    family(fault, 'FLA-GET-018', 'prefix-of-one', broken(/^[A-Z]\d?$/), joined(letters(1), digits(1))),
    family(
      fault,
      'FLA-GET-018',
      'prefix-too-long',
      broken(/^[A-Z]{4,}\d+$/),
      // The shortest first: the one that a wrong bound lets through.
      either(
        { weight: 4, arbitrary: joined(letters(4), digits(1, 4)) },
        { weight: 1, arbitrary: joined(letters(5, 6), digits(1, 4)) },
      ),
    ),
    open('flightNumber-otherwise', broken(/./), setTo('flightNumber', 'A1B2C3D4', '123456789')),
  ];
}

/** What a valid flight number may have that its cleaned form has not, and prefixes other than two letters. */
export function flightNumberTraits(rowOf: (lookupRow: string) => string): readonly Form[] {
  // Patterns see the number as it is written and, behind a bar, cleaned but for its zeros.
  const trait = (row: string, name: string, pattern: RegExp, make: string) =>
    free(
      rowOf(row),
      `number-${name}`,
      texts((text) => isClean(upper(text)) && pattern.test(`${text}|${upper(text)}`)),
      setTo('flightNumber', make),
    );
  return [
    trait('FLA-GET-011', 'in-lower-case', /[a-z].*\|/, 'qr7'),
    trait('FLA-GET-012', 'with-hyphen', /-.*\|/, 'QR-7'),
    trait('FLA-GET-012', 'with-space', / .*\|/, 'QR 7'),
    trait('FLA-GET-012', 'with-separators', /[ -].*[ -].*\|/, ' QR 7-'),
    trait('FLA-GET-013', 'with-zero', /\|[A-Z]{2}0/, 'QR07'),
    trait('FLA-GET-013', 'with-zeros', /\|[A-Z]{2}00/, 'QR007'),
    trait('FLA-GET-015', 'with-many-zeros', /\|[A-Z]{2}0\d{4}/, 'QR00007'),
    trait('FLA-GET-020', 'with-digit-in-prefix', /\|(\d|.\d)/, '5E7'),
    trait('FLA-GET-020', 'with-long-prefix', /\|[A-Z]{3}/, 'QTR7'),
  ];
}

const upper = (text: string) => text.replace(/[ -]/g, '').toUpperCase();
const isClean = (number: string) => /^([A-Z]{2}0*|[A-Z0-9]{2,3})[1-9]\d{0,3}$/.test(number);
