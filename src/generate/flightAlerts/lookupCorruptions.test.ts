import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testCorruptions, type Breaks } from '../../../test/laws/corruptions.ts';
import { departureDates, flightAndDateBreaks } from '../../../test/laws/flightAndDate.ts';
import { lookupSchema } from '../../../test/laws/flightAlerts.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { validFlightNumber } from './flightNumbers.ts';
import { lookupCorruptions } from './corruptions.ts';

const now = Date.UTC(2031, 2, 4, 12);
const schema = lookupSchema('2031-03-04');
const valid = fc.record({ flightNumber: validFlightNumber, departureDate: departureDates(now) });

const breaks: Breaks = {
  'absent-flightNumber': 'flightNumber',
  'empty-flightNumber': 'flightNumber grammar',
  'absent-departureDate': 'departureDate',
  'empty-departureDate': 'departureDate form',
  'repeated-flightNumber': 'flightNumber',
  'repeated-departureDate': 'departureDate',
  ...flightAndDateBreaks,
};

describe('lookup corruptions', () => {
  testCorruptions(lookupCorruptions(now), valid, { schema, breaks });
});

test('any valid query is one of the document', () => {
  expectLaws(valid, (query) => schema.parse(query));
});

test.each([
  ['2031-03-04T23:58:30Z', '2031-03-02'],
  ['2031-03-05T00:01:30Z', '2031-03-03'],
  ['2031-03-04T12:00:00Z', '2031-03-03'],
])('at %s the last past date is %s', (instant, last) => {
  const past = lookupCorruptions(Date.parse(instant)).find(({ name }) => name === 'date-past');
  if (past === undefined) throw new Error('no corruption to a past date');
  expectLaws(past.apply, (change) => expect(String(change({}).departureDate) <= last).toBe(true));
});
