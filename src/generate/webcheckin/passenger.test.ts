import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLaws } from '../../../test/laws/laws.ts';
import {
  documentSchema,
  lacks,
  passengerSchema,
  passportSchema,
  seatSchema,
} from '../../../test/laws/webCheckIn.ts';
import { textAt } from '../../spec/kit/json.ts';
import {
  malformedEmail,
  unusualEmail,
  completeDocument,
  document,
  completePassenger,
  passenger,
  simplePassenger,
  completePassport,
  passport,
  completeSeatPreference,
  seatPreference,
} from './passenger.ts';

const now = Date.UTC(2031, 2, 4, 5, 6, 7);
const today = '2031-03-04';

function emptyFields(value: unknown): readonly string[] {
  return Object.entries(value as object).flatMap(([name, field]) =>
    field === null || field === '' ? [name] : [],
  );
}

test.each([
  ['passport', passport(now), passportSchema],
  ['document', document(now), documentSchema],
  ['seat preference', seatPreference, seatSchema],
  ['passenger', passenger(now), passengerSchema],
] as const)('any %s is valid', (_, arbitrary, schema) => {
  expectLaws<unknown>(arbitrary, (value) => schema.parse(value));
});

test.each([
  ['passport', completePassport(now), passportSchema],
  ['document', completeDocument(now), documentSchema],
  ['seat preference', completeSeatPreference, seatSchema],
  ['passenger', completePassenger(now), passengerSchema],
  ['simple passenger', fc.constant(simplePassenger(now)), passengerSchema],
] as const)('a complete %s has every field of the document, none of them empty', (_, arbitrary, schema) => {
  expectLaws<object>(arbitrary, (value) => {
    schema.parse(value);
    expect(Object.keys(value).sort()).toEqual(Object.keys(schema.shape).sort());
    expect(emptyFields(value)).toEqual([]);
  });
});

test('a complete passenger lacks nothing for an international flight, with a passport valid now and for a year', () => {
  expectLaws(completePassenger(now), (value) => {
    const person = passengerSchema.parse(value);
    expect(lacks([person], true)).toEqual([]);
    expect(person.passport?.date_of_issue && person.passport.date_of_issue < today).toBe(true);
    expect(person.passport?.expiry_date && person.passport.expiry_date > '2032-03-01').toBe(true);
    expect(person.passport?.nationality).toBe(person.nationality);
  });
});

test('every passenger is recognisably made up', () => {
  expectLaws(passenger(now), (value) => {
    const { last_name: name, email } = passengerSchema.parse(value);
    expect(name).toContain('Gatecheck');
    expect(email ?? 'x@example.com').toMatch(/@(.*\.)?(example\.(com|org|net)|invalid)$/i);
  });
});

test('names never begin or end with a space, nor hold control characters or half of a character', () => {
  expectLaws(passenger(now), (value) => {
    for (const name of [value.first_name, value.last_name].map(String)) {
      expect(name.trim()).toBe(name);
      expect(name).not.toMatch(/\p{Cc}/u);
      expect(name.isWellFormed()).toBe(true);
    }
  });
});

test('malformed emails are none, and unusual ones are', () => {
  expectLaws(malformedEmail, (email) => expect(lacks([simple({ email })], false)).toEqual(['email']));
  expectLaws(unusualEmail, (email) => expect(lacks([simple({ email })], false)).toEqual([]));
});

test('a hundred passengers hold each optional field absent, null and filled, and each document type', () => {
  const sample = fc.sample(passenger(now), { seed: 1, numRuns: 100 });
  const optional = Object.keys(passengerSchema.shape).slice(2);
  for (const field of optional) {
    expect(new Set(sample.map((value) => (field in value ? value[field] === null : 'absent'))).size).toBe(3);
  }
  const text = JSON.stringify(sample);
  for (const type of ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD']) expect(text).toContain(`"type":"${type}"`);
});

function simple(fields: object) {
  return passengerSchema.parse({ ...simplePassenger(now), ...fields });
}

test('passengers of two bookings are two people, by their names as well', () => {
  const lastName = (pnr: string | null) => textAt(simplePassenger(now, pnr), 'last_name');
  const pnrs = ['ABC123', 'ABC124', 'BBC123', 'Z00000', 'Z0000A'];
  const all = pnrs.map(lastName);
  expect(new Set(all).size).toBe(pnrs.length);
  for (const name of all) expect(name).toMatch(/^Gatecheck [A-Z][a-z]+$/);
  expect(lastName(null)).toBe('Gatecheck');
});
