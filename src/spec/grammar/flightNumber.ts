import { either, joined, word } from '../kit/characters.ts';
import { type Make, mapped, oneOf, rewriteBy, setTo } from '../kit/mutation.ts';
import { doubtful, fault, free, open, texts, type Form } from './form.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = (least: number, most = least) => word(alphabet, least, most);
/** Without zeros, whose removal is open for some prefixes (FLA-OPN-004). */
const digits = (least: number, most = least) => word('123456789', least, most);

// Not one of them has an ASCII letter for its capital.
const otherLetter = word('ÄÖñЖдΩن', 1);
const otherDigits = word('٣٤७１７', 2);

const gap = '[\\s-]*';
/** What a number may look like that is yet to be cleaned of spaces, hyphens and zeros. */
export const writtenNumber = new RegExp(`^${gap}(?:[A-Za-z0-9]${gap}){2,3}(?:0${gap})*(?:[0-9]${gap}){1,4}$`);

const compact = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();

/** In any reading of zeros and separators. */
function isValid(cleaned: string): boolean {
  return writtenNumber.test(cleaned) || /^[A-Z0-9]{2,3}\d{1,4}$/.test(cleaned.replace(/^(..)0+/, '$1'));
}

/** Fits a text whose cleaned form is no flight number and like this. */
function broken(pattern: RegExp): Form['fits'] {
  return texts((text) => !isValid(compact(text)) && pattern.test(compact(text)));
}

/** What is refused, or may be: rows of the lookup. Whether other dashes, spaces, digits and letters are read is not stated. */
const families: readonly (readonly [
  form: typeof fault,
  row: string,
  name: string,
  like: RegExp,
  text: Make<string>,
])[] = [
  [fault, 'FLA-GET-019', 'zero-character', /\0/, joined(letters(2), oneOf('\0'), digits(1, 3))],
  [fault, 'FLA-GET-019', 'quote', /'/, joined(letters(2), oneOf("'"), digits(1, 3))],
  [
    fault,
    'FLA-GET-019',
    'breaking-character',
    /["%${}<>]/,
    joined(letters(2), oneOf('"', '%', '${7}', '<b>'), digits(1, 3)),
  ],
  [doubtful, 'FLA-GET-042', 'digits-beyond-ascii', /(?![0-9])\p{Nd}/u, joined(letters(2), otherDigits)],
  [
    doubtful,
    'FLA-GET-042',
    'letters-beyond-ascii',
    /[^\x20-\x7e]/,
    joined(letters(1), otherLetter, digits(2, 4)),
  ],
  [
    fault,
    'FLA-GET-019',
    'foreign-character',
    /[^A-Z0-9]/,
    weighted(
      1,
      joined(letters(2), word('_./!*', 1), digits(1, 4)),
      joined(letters(2), digits(1, 3), word('!*_', 1)),
    ),
  ],
  [fault, 'FLA-GET-016', 'no-digits', /^\D*$/, letters(2, 6)],
  [
    fault,
    'FLA-GET-039',
    'letter-after-digits',
    /^[A-Z]{2,3}\d+[A-Z]+$/,
    joined(letters(2), digits(1, 3), letters(1)),
  ],
  // QR12345 and Q12 are not here: they are valid, as QR1 with 2345 and as Q1 with 2.
  [
    fault,
    'FLA-GET-017',
    'hundreds-of-digits',
    /^[A-Z]{2,3}\d{300,}$/,
    joined(letters(2), digits(300, 2_000)),
  ],
  [
    fault,
    'FLA-GET-017',
    'too-many-digits',
    /^[A-Z]{2,3}\d+$/,
    weighted(3, joined(letters(3), digits(5)), joined(letters(2), digits(6, 8))),
  ],
  [fault, 'FLA-GET-018', 'prefix-of-one', /^[A-Z]\d?$/, joined(letters(1), digits(1))],
  [
    fault,
    'FLA-GET-018',
    'prefix-too-long',
    /^[A-Z]{4,}\d+$/,
    weighted(4, joined(letters(4), digits(1, 4)), joined(letters(5, 6), digits(1, 4))),
  ],
];

/** The first more often than the other: the shortest is the one that a wrong bound lets through. */
function weighted(weight: number, often: Make<string>, other: Make<string>): Make<string> {
  return either({ weight, arbitrary: often }, { weight: 1, arbitrary: other });
}

/** The forms of a flight number, by the rows of the lookup; `rowOf` gives those of another operation. */
export function flightNumberForms(rowOf: (lookupRow: string) => string): readonly Form[] {
  return [
    ...families.map(([form, row, name, like, text]) => {
      const written = mapped(text, (value) => () => value);
      return form(rowOf(row), name, broken(like), rewriteBy('flightNumber', written));
    }),
    open('flightNumber-otherwise', broken(/./), setTo('flightNumber', 'A1B2C3D4', '123456789')),
  ];
}

/** What a valid number may have: patterns see it as it is written and, behind a bar, cleaned but for its zeros. */
const traits: readonly (readonly [row: string, name: string, like: RegExp, made: string])[] = [
  ['FLA-GET-011', 'in-lower-case', /[a-z].*\|/, 'qr7'],
  ['FLA-GET-012', 'with-hyphen', /-.*\|/, 'QR-7'],
  ['FLA-GET-012', 'with-space', / .*\|/, 'QR 7'],
  ['FLA-GET-012', 'with-separators', /[ -].*[ -].*\|/, ' QR 7-'],
  ['FLA-GET-013', 'with-zero', /\|[A-Z]{2}0/, 'QR07'],
  ['FLA-GET-013', 'with-zeros', /\|[A-Z]{2}00/, 'QR007'],
  ['FLA-GET-015', 'with-many-zeros', /\|[A-Z]{2}0\d{4}/, 'QR00007'],
  ['FLA-GET-020', 'with-digit-in-prefix', /\|(\d|.\d)/, '5E7'],
  ['FLA-GET-020', 'with-long-prefix', /\|[A-Z]{3}/, 'QTR7'],
];

/** What a valid flight number may have that its cleaned form has not, and prefixes other than two letters. */
export function flightNumberTraits(rowOf: (lookupRow: string) => string): readonly Form[] {
  return traits.map(([row, name, like, made]) => {
    const fits = texts((text) => isClean(upper(text)) && like.test(`${text}|${upper(text)}`));
    return free(rowOf(row), `number-${name}`, fits, setTo('flightNumber', made));
  });
}

const upper = (text: string) => text.replace(/[ -]/g, '').toUpperCase();
const isClean = (number: string) => /^([A-Z]{2}0*|[A-Z0-9]{2,3})[1-9]\d{0,3}$/.test(number);
