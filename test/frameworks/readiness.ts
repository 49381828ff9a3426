import { airportsOf } from './airports.ts';
import type { CheckIn } from './checkins.ts';
import type { Conventions } from './conventions.ts';
import { isDate } from './payload.ts';
import { isObject } from './reading.ts';

interface Gap {
  /** Undefined for the booking itself. */
  passenger: number | undefined;
  field: string;
}

const present = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const isEmail = (value: unknown): boolean =>
  typeof value === 'string' && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/u.test(value.trim());

function passportGaps(checkIn: CheckIn): Gap[] {
  return checkIn.passengers.flatMap((passenger, index) => {
    const passport = isObject(passenger.passport) ? passenger.passport : {};
    const missing = [
      ...['number', 'place_of_issue'].filter((name) => !present(passport[name])),
      ...['date_of_issue', 'expiry_date'].filter((name) => !isDate(passport[name])),
      ...(present(passport.nationality) || present(passenger.nationality) ? [] : ['nationality']),
    ];
    return missing.map((name) => ({ passenger: index, field: `passport.${name}` }));
  });
}

function gapsOf(checkIn: CheckIn, using: Conventions): Gap[] {
  const known = airportsOf(using.airports);
  const countries = checkIn.flights.flatMap(({ origin, destination }) =>
    [origin, destination].map((code) => known.get(String(code).toUpperCase())?.country),
  );
  const booking = { passenger: undefined, field: 'pnr' };
  const hasPnr = typeof checkIn.pnr === 'string' && /^[A-Za-z0-9]{6}$/.test(checkIn.pnr.trim());
  return [
    ...(hasPnr ? [] : [booking]),
    ...(checkIn.passengers.some(({ email }) => isEmail(email)) ? [] : [{ passenger: 0, field: 'email' }]),
    ...checkIn.passengers.flatMap(({ date_of_birth }, index) =>
      present(date_of_birth) && !isDate(date_of_birth) ? [{ passenger: index, field: 'date_of_birth' }] : [],
    ),
    ...(new Set(countries).size > 1 ? passportGaps(checkIn) : []),
  ];
}

const path = ({ passenger, field }: Gap): string =>
  passenger === undefined ? field : `passengers[${passenger}].${field}`;

const forms: Record<Conventions['missingItems'], (gaps: Gap[]) => unknown[]> = {
  path: (gaps) => gaps.map(path),
  object: (gaps) => gaps.map((gap) => ({ field: path(gap), message: `${gap.field} is missing` })),
  passenger: (gaps) =>
    [...Map.groupBy(gaps, (gap) => gap.passenger)].map(([passenger, of]) => ({
      passenger_index: passenger ?? null,
      fields: of.map(({ field }) => field),
      hint: `Complete ${of.length} of its fields.`,
    })),
  code: (gaps) => gaps.map(({ field }) => `MISSING_${field.replace('.', '_').toUpperCase()}`),
  sentence: (gaps) => gaps.map((gap) => `${path(gap)} can't be blank`),
  pairs: (gaps) =>
    gaps.map(({ passenger, field }) => ({
      scope: passenger === undefined ? 'booking' : 'passenger',
      index: passenger ?? 0,
      name: field,
    })),
};

/** What a booking lacks, in the form of this deployment. */
export const missingOf = (checkIn: CheckIn, using: Conventions): unknown[] =>
  forms[using.missingItems](gapsOf(checkIn, using));
