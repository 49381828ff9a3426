import * as fc from 'fast-check';
import { utcDate } from '../../spec/kit/localTime.ts';

/** One character of the text. */
export function oneOf(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters));
}

/** The word that marks everything that Gatecheck makes up. */
export const mark = 'Gatecheck';

// Real names, each of which has broken some system: marks, scripts, astral and combining characters.
const oddNames = [
  'Zoë',
  'X',
  "O'Neill-ffrench",
  'D’Angelo',
  'Anne-Marie de la Cruz y Fernández',
  'Łukasz',
  'Þórunn Ægisdóttir',
  'Ğülşen İpek',
  'Straße',
  'Nguyễn Thị Hồng',
  'E\u0301milie',
  'Мария',
  'Ελένη',
  'محمد',
  'שרה',
  'नेहा',
  'ธนพร',
  '李小龍',
  'さくら',
  '김민준',
  '𠮷田',
  'St. John Jr.',
  'null',
];

const letters = oneOf('abcdefghijklmnopqrstuvwxyzABCDXYZàçéñöøłşğžßþабвжяαβγδωあい李林');

/** Text as in names: never empty, without spaces at its ends. */
export const unusualText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...oddNames) },
  { weight: 2, arbitrary: fc.string({ unit: letters, minLength: 1, maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: letters, minLength: 60, maxLength: 80 }) },
);

/** Upper-case letters and digits, as in document numbers. */
export function documentNumber(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: oneOf('ABCDEFGHJKLMNPRSTUVWXYZ0123456789'), minLength, maxLength });
}

/** Lower-case letters and digits. */
export function slug(maxLength: number): fc.Arbitrary<string> {
  return fc.string({
    unit: oneOf('abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: 1,
    maxLength,
  });
}

/** `YYYY-MM-DD` between two numbers of days from the UTC day of `now`. */
export function dateWithin(now: number, fromDays: number, toDays: number): fc.Arbitrary<string> {
  return fc.integer({ min: fromDays, max: toDays }).map((days) => utcDate(now, days));
}

/** Address of a document that does not exist, on a reserved domain. */
export const documentUrl: fc.Arbitrary<string> = slug(12).map(
  (name) => `https://example.com/gatecheck/${name}.pdf`,
);

/** ISO 3166-1 alpha-2 codes. */
export const countryCode: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    'AE',
    'GB',
    'IN',
    'JP',
    'US',
    'DE',
    'FR',
    'SA',
    'QA',
    'SG',
    'BR',
    'ZA',
    'KE',
    'NP',
    'NZ',
    'CN',
    'TR',
    'CA',
  ],
);
