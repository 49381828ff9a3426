import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../spec/kit/json.ts';
import { alternateRoutes, knownStatuses, unusualLeg } from './snapshotValues.ts';
import { journey, upstreamLeg } from './upstreamLeg.ts';

const leg = { flightNumber: 'QR1234', departureDate: '2031-03-04', departure: 'DOH', arrival: 'SIN' };
const clock = /^2031-03-04 \d\d:\d\d:00$/;

test('the legs of the journey stand in no order of their codes', () => {
  const by = (index: 0 | 1) => journey.map((route) => route[index]);
  for (const codes of [by(0), by(1)]) {
    expect(codes.toSorted()).not.toEqual(codes);
    expect(codes.toSorted().toReversed()).not.toEqual(codes);
  }
});

test('changes lie over single members of a leg', () => {
  const { departure, status } = upstreamLeg(leg, { status: null, departure: { gate: 'B2' } });
  expect(status).toBeNull();
  expect(departure).toMatchObject({ airportIata: 'DOH', gate: 'B2', scheduledTime: '2031-03-04 09:25:00' });
});

test('there are twenty known statuses', () => {
  expect(new Set(knownStatuses).size).toBe(20);
});

test('unusual legs keep their schedule, and no time of theirs contradicts another', () => {
  const ends = ['departure', 'arrival'] as const;
  fc.assert(
    fc.property(unusualLeg('2031-03-04'), (changes) => {
      const rendered = upstreamLeg(leg, changes);
      const [departed, arrived] = ends.map((end) => {
        const { scheduledTime, estimatedTime, actualTime } = rendered[end] as JsonObject;
        expect(scheduledTime).toMatch(clock);
        return [scheduledTime, estimatedTime, actualTime].filter(
          (time): time is string => typeof time === 'string' && clock.test(time),
        );
      });
      for (const time of departed ?? []) for (const later of arrived ?? []) expect(time < later).toBe(true);
    }),
    { seed: 1 },
  );
});

test('alternate routes name airports as the documents do', () => {
  expect(alternateRoutes('2031-03-04')[0]?.departure).toMatchObject({
    airport: 'DOH',
    scheduledTime: '2031-03-04 10:10:00',
  });
});
