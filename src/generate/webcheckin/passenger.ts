import * as fc from 'fast-check';
import { phone, plainEmail, unusualEmail } from './contact.ts';
import { completeDocument, document } from './document.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { filled, withOptional } from '../kit/optional.ts';
import { completePassport, passport } from './passport.ts';
import { completeSeatPreference, seatPreference } from './seat.ts';
import { countryCode, dateWithin, mark, unusualText } from '../kit/text.ts';

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
