import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { expectLaws } from '../../../test/laws/laws.ts';
import { lacks, passengersSchema } from '../../../test/laws/webCheckIn.ts';
import { completePassenger } from './passenger.ts';
import {
  incompletePassengers,
  readinessGaps,
  readinessSufficiencies,
  type ReadinessChange,
} from './readiness.ts';

const now = Date.UTC(2031, 2, 4);
const complete = fc.array(completePassenger(now), { minLength: 1, maxLength: 3 });

function lackedAfter(change: ReadinessChange) {
  const international = change.scope !== 'domestic';
  return fc
    .tuple(complete, change.apply)
    .map(([list, apply]) => lacks(passengersSchema.parse(apply(list)), international));
}

const lacking: Readonly<Record<string, readonly string[]>> = {
  'without-passport': ['number', 'date_of_issue', 'expiry_date', 'place_of_issue'],
  'without-number': ['number'],
  'without-date_of_issue': ['date_of_issue'],
  'without-expiry_date': ['expiry_date'],
  'without-place_of_issue': ['place_of_issue'],
  'without-any-nationality': ['nationality'],
  'one-of-two-without-number': ['number'],
  'without-email': ['email'],
  'malformed-email': ['email'],
  'document_url-only': ['number', 'date_of_issue', 'expiry_date', 'place_of_issue'],
};

test('every gap is expected, once', () => {
  expect(readinessGaps.map(({ name }) => name)).toEqual(Object.keys(lacking));
});

test.each(readinessGaps)('$name ($rule) lacks what it says and nothing else', (gap) => {
  expect(loadCatalogue().has(gap.rule)).toBe(true);
  expectLaws(lackedAfter(gap), (lacked) => expect(lacked).toEqual(lacking[gap.name]));
});

test.each(readinessSufficiencies)('$name ($rule) lacks nothing', (change) => {
  expect(loadCatalogue().has(change.rule)).toBe(true);
  expectLaws(lackedAfter(change), (lacked) => expect(lacked).toEqual([]));
});

test.each([true, false])('incomplete passengers are incomplete (international: %s)', (international) => {
  expectLaws(incompletePassengers(now, international), ({ passengers }) =>
    expect(lacks(passengersSchema.parse(passengers), international)).not.toEqual([]),
  );
});
