import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantsOf, localDateTime, offsetAt, renderDate, unambiguousFrom, utcDate } from './localTime.ts';
import { airports } from './places.ts';

const at = (iso: string) => Date.parse(iso);

function clock(instant: number, zone: string): string {
  const { hour, minute, second, ...date } = localDateTime(instant, zone);
  return `${renderDate(date)} ${hour}:${minute}:${second}`;
}

function parts(iso: string) {
  return localDateTime(at(`${iso}Z`), 'UTC');
}

test.each([
  ['2031-03-30T00:59:59Z', 'Europe/London', '2031-03-30 0:59:59'],
  ['2031-03-30T01:00:00Z', 'Europe/London', '2031-03-30 2:0:0'],
  ['2031-10-26T00:59:59Z', 'Europe/London', '2031-10-26 1:59:59'],
  ['2031-10-26T01:00:00Z', 'Europe/London', '2031-10-26 1:0:0'],
  ['2031-03-09T06:59:59Z', 'America/New_York', '2031-03-09 1:59:59'],
  ['2031-03-09T07:00:00Z', 'America/New_York', '2031-03-09 3:0:0'],
  ['2031-11-02T06:00:00Z', 'America/New_York', '2031-11-02 1:0:0'],
  ['2031-01-01T00:00:00Z', 'Asia/Kathmandu', '2031-01-01 5:45:0'],
  ['2031-01-01T00:00:00Z', 'Pacific/Honolulu', '2030-12-31 14:0:0'],
  ['2031-01-01T00:00:00Z', 'Pacific/Auckland', '2031-01-01 13:0:0'],
  ['2031-06-15T20:00:00Z', 'Asia/Dubai', '2031-06-16 0:0:0'],
])('%s is in %s %s', (instant, zone, expected) => {
  expect(clock(at(instant), zone)).toBe(expected);
});

test('an hour that daylight saving skips has no instant, one that it repeats has two', () => {
  expect(instantsOf(parts('2031-03-30T01:30:00'), 'Europe/London')).toEqual([]);
  expect(instantsOf(parts('2031-10-26T01:30:00'), 'Europe/London')).toEqual([
    at('2031-10-26T00:30:00Z'),
    at('2031-10-26T01:30:00Z'),
  ]);
  expect(instantsOf(parts('2031-03-09T02:30:00'), 'America/New_York')).toEqual([]);
});

test('an instant in a repeated hour moves to the next plain one', () => {
  const first = at('2031-10-26T00:30:00Z');
  expect(clock(unambiguousFrom(first, 'Europe/London'), 'Europe/London')).toBe('2031-10-26 2:30:0');
  expect(unambiguousFrom(at('2031-07-01T00:30:00Z'), 'Europe/London')).toBe(at('2031-07-01T00:30:00Z'));
});

test('the instant of a wall clock is among the instants that show it, in every zone', () => {
  const zone = fc.constantFrom(...new Set(airports.map((airport) => airport.zone)));
  const second = fc.integer({
    min: at('2026-01-01T00:00:00Z') / 1000,
    max: at('2036-01-01T00:00:00Z') / 1000,
  });
  fc.assert(
    fc.property(zone, second, (name, seconds) => {
      expect(instantsOf(localDateTime(seconds * 1000, name), name)).toContain(seconds * 1000);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('offsets are exact also between seconds and before the epoch', () => {
  expect(offsetAt(at('2031-06-15T12:00:00.789Z'), 'Asia/Kolkata')).toBe(5.5 * 3_600_000);
  expect(offsetAt(-1, 'Asia/Tokyo')).toBe(9 * 3_600_000);
});

test('a UTC date is counted in days from now', () => {
  expect(utcDate(at('2031-02-28T23:59:59Z'), 1)).toBe('2031-03-01');
  expect(utcDate(at('2031-03-01T00:00:00Z'), -1)).toBe('2031-02-28');
});
