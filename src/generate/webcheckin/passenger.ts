import * as fc from 'fast-check';
import type { JsonObject } from '../../spec/kit/json.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { filled, withOptional } from '../kit/optional.ts';
import {
  countryCode,
  dateWithin,
  mark,
  unusualText,
  documentNumber,
  documentUrl,
  slug,
} from '../kit/text.ts';
import {
  documentTypes,
  columnPreferences,
  rowPreferences,
  malformedEmails,
} from '../../spec/grammar/passenger.ts';

/** Any valid passenger: unusual names, every optional field absent, null or filled, several documents. */
export function passenger(now: number): fc.Arbitrary<JsonObject> {
  return withOptional(names, {
    email: unusualEmail,
    country_code: phone.map((number) => number.country_code),
    phone: phone.map((number) => number.phone),
    // Born before any passport above was issued.
    date_of_birth: dateWithin(now, -90 * 365, -6 * 365),
    nationality: countryCode,
    country_of_residence: countryCode,
    passport: passport(now),
    documents: fc.array(document(now), { maxLength: 4 }),
    seat_preference: seatPreference,
  });
}

/** A grown-up passenger with every optional field filled, so that an international request is ready. */
export function completePassenger(now: number): fc.Arbitrary<JsonObject> {
  const person = filled({
    ...names,
    email: plainEmail,
    date_of_birth: dateWithin(now, -80 * 365, -20 * 365),
    country_of_residence: countryCode,
    passport: completePassport(now),
    documents: fc.array(completeDocument(now), { minLength: 1, maxLength: 4 }),
    seat_preference: completeSeatPreference,
  });
  return fc.tuple(person, phone).map(([details, number]) => ({
    ...details,
    ...number,
    nationality: nationalityOf(details),
  }));
}

/**
 * The plainest complete passenger. Each booking has a last name of its own: a deployment may know a booking by its flights and
 * names alone.
 */
export function simplePassenger(now: number, pnr: string | null = null): JsonObject {
  return {
    first_name: 'Testa',
    last_name: pnr === null ? mark : `${mark} ${nameOf(pnr)}`,
    email: 'gatecheck@example.com',
    country_code: '+1',
    phone: '2025550143',
    date_of_birth: '1990-05-17',
    nationality: 'AE',
    country_of_residence: 'AE',
    passport: {
      number: 'GC1234567',
      date_of_issue: utcDate(now, -2 * 365),
      expiry_date: utcDate(now, 3 * 365),
      place_of_issue: 'Dubai',
      nationality: 'AE',
      document_url: 'https://example.com/gatecheck/passport.pdf',
    },
    documents: [
      {
        type: 'VISA',
        document_number: 'GCV12345',
        issuing_country: 'GB',
        expiry_date: utcDate(now, 2 * 365),
        document_url: 'https://example.com/gatecheck/visa.pdf',
      },
    ],
    seat_preference: { row_preference: 'front', column_preference: 'window' },
  };
}

/** Letters alone, since not every form of a name has digits. */
function nameOf(pnr: string): string {
  let rest = Number.parseInt(pnr, 36);
  let name = '';
  for (; rest > 0; rest = Math.floor(rest / 26)) name += letters.charAt(rest % 26);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

const names = {
  first_name: unusualText,
  last_name: unusualText.map((name) => `${name} ${mark}`),
};

function nationalityOf({ passport: held }: JsonObject) {
  return (held as JsonObject).nationality ?? null;
}

/** Any valid passport of a JSON body: each field absent, null or filled (`file_field` belongs to multipart bodies). */
export function passport(now: number): fc.Arbitrary<JsonObject> {
  return withOptional({}, passportFields(now));
}

/** A passport with all that international readiness asks for, and the rest. */
export function completePassport(now: number): fc.Arbitrary<JsonObject> {
  return filled(passportFields(now));
}

function passportFields(now: number) {
  return {
    number: documentNumber(5, 9).map((number) => `GC${number}`),
    date_of_issue: dateWithin(now, -5 * 365, -30),
    expiry_date: dateWithin(now, 365, 4 * 365),
    place_of_issue: unusualText,
    nationality: countryCode,
    document_url: documentUrl,
  };
}

/** Any valid supporting document of a JSON body. */
export function document(now: number): fc.Arbitrary<JsonObject> {
  return withOptional({ type: documentType }, documentFields(now));
}

/** A supporting document with every field filled. */
export function completeDocument(now: number): fc.Arbitrary<JsonObject> {
  return filled({ type: documentType, ...documentFields(now) });
}

const documentType = fc.constantFrom(...documentTypes);

function documentFields(now: number) {
  return {
    document_number: documentNumber(5, 12),
    issuing_country: countryCode,
    expiry_date: dateWithin(now, 365, 4 * 365),
    document_url: documentUrl,
  };
}

const seatFields = {
  row_preference: fc.constantFrom(...rowPreferences),
  column_preference: fc.constantFrom(...columnPreferences),
};

/** Any valid seat preference, the empty object included. */
export const seatPreference: fc.Arbitrary<JsonObject> = withOptional({}, seatFields);

/** A seat preference that prefers something in both directions. */
export const completeSeatPreference: fc.Arbitrary<JsonObject> = filled(seatFields);

/** Plain addresses of reserved domains, which every validator takes for valid. */
export const plainEmail: fc.Arbitrary<string> = fc
  .tuple(slug(10), fc.constantFrom('example.com', 'example.org', 'example.net'))
  .map(([name, domain]) => `gatecheck.${name}@${domain}`);

/** Valid addresses that a narrow validator refuses. */
export const unusualEmails = [
  'Gatecheck+Seat_12@Mail.Example.COM',
  "o'gatecheck@example.org",
  'g@example.net',
  `${'gatecheck'.repeat(7)}@example.com`,
  'gatecheck@sub-domain.test.example.com',
  'gatecheck@host.invalid',
] as const;

/** Valid addresses, unusual ones among them: only where nothing depends on a validator's opinion. */
export const unusualEmail: fc.Arbitrary<string> = fc.oneof(plainEmail, fc.constantFrom(...unusualEmails));

/** Addresses that no reading takes for valid. */
export const malformedEmail: fc.Arbitrary<string> = fc.constantFrom(...malformedEmails);

/** Country prefix and number, from ranges that regulators keep for fiction. */
export const phone: fc.Arbitrary<{ readonly country_code: string; readonly phone: string }> = fc.constantFrom(
  { country_code: '+1', phone: '2025550143' },
  { country_code: '+1', phone: '3105550187' },
  { country_code: '+44', phone: '7700900123' },
  { country_code: '+44', phone: '2079460958' },
  { country_code: '+61', phone: '491570156' },
);
