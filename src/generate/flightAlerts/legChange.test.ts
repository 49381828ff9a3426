import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { legChange } from './legChange.ts';

const changes = legChange('2031-03-14');

test('every change has a member, names no route, and leaves the scheduled times alone', () => {
  fc.assert(
    fc.property(changes, (change) => {
      expect(Object.keys(change).length).toBeGreaterThan(0);
      for (const end of [change.departure, change.arrival]) {
        expect(end === undefined || Object.keys(end).length > 0).toBe(true);
        expect(end ?? {}).not.toHaveProperty('airportIata');
        expect(end ?? {}).not.toHaveProperty('scheduledTime');
      }
    }),
  );
});

test('each member changes alone as well as beside others', () => {
  const samples = fc.sample(changes, { numRuns: 500, seed: 1 });
  for (const member of ['status', 'isCodeshare', 'stopover', 'alternateInfo', 'departure', 'arrival'])
    expect(
      samples.some((one) => member in one && Object.keys(one).length > 1),
      member,
    ).toBe(true);
  expect(samples.some((one) => Object.keys(one).length === 1)).toBe(true);
  expect(samples.some(({ alternateInfo: all }) => Array.isArray(all) && all.length > 1)).toBe(true);
});

test('the same seed makes the same change', () => {
  const sample = () => fc.sample(changes, { numRuns: 20, seed: 7 });
  expect(sample()).toEqual(sample());
});
