import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp, readInstant } from './timestamp.ts';

test('every instant of four-digit years comes back from its text', () => {
  const date = fc.date({
    min: new Date('1970-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(date, (instant) => parseTimestamp(instant.toISOString()) === instant.getTime()));
});

test.each([
  '2026-02-29T00:00:00.000Z',
  '2026-04-31T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-00-10T00:00:00.000Z',
  '2026-03-00T00:00:00.000Z',
  '2026-03-01T24:00:00.000Z',
  '2026-03-01T12:60:00.000Z',
  '2026-03-01T12:00:60.000Z',
  '2026-03-01T12:00:00.00Z',
  '2026-03-01T12:00:00.000+00:00',
  '2026-03-01 12:00:00.000Z',
  ' 2026-03-01T12:00:00.000Z',
  '2026-03-01T12:00:00.000Z\n',
  '',
  null,
  1_772_366_400_000,
  undefined,
])('%j is no timestamp', (value) => {
  expect(parseTimestamp(value)).toBeNull();
});

test.each([
  ['2026-03-01T12:00:00.17Z', '2026-03-01T12:00:00.170Z'],
  ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
  ['2026-03-01T16:00:00.000+04:00', '2026-03-01T12:00:00.000Z'],
])('the instant of %j is plain, though its form is wrong', (value, instant) => {
  expect(parseTimestamp(value)).toBeNull();
  expect(readInstant(value)).toBe(Date.parse(instant));
});

test.each(['2026-02-29T00:00:00Z', '2026-03-01T12:00:00', '2026-03-01 12:00:00Z', 1_772_366_400_000, null])(
  '%j has no plain instant',
  (value) => {
    expect(readInstant(value)).toBeNull();
  },
);

test('29 February of a leap year is one', () => {
  expect(parseTimestamp('2028-02-29T23:59:59.999Z')).toBe(Date.parse('2028-02-29T23:59:59.999Z'));
});
