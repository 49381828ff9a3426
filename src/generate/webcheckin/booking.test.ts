import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLaws } from '../../../test/laws/laws.ts';
import { lacks, passengersSchema, subscribeSchema } from '../../../test/laws/webCheckIn.ts';
import {
  bookingDraft,
  completeBookingDraft,
  departureOf,
  legInstants,
  renderBooking,
  simpleBooking,
  type BookingDraft,
} from './booking.ts';
import { dayMs, hourMs, instantsOf, localDateTime } from '../../spec/kit/localTime.ts';
import { itinerariesToTry, zoneOf, type ItineraryKind } from '../../spec/kit/places.ts';

// A fortnight and a bit before clocks change in Europe, between the changes in the north of America.
const now = Date.UTC(2031, 9, 5, 23, 40, 12, 345);
const kinds: readonly ItineraryKind[] = ['international', 'domestic', 'twoLeg', 'dateLine'];
const itineraries = kinds.flatMap((kind) => itinerariesToTry(kind, null));
const bound = (draft: fc.Arbitrary<BookingDraft>) => fc.tuple(draft, fc.constantFrom(...itineraries));

test('any booking is a valid subscribe', () => {
  expectLaws(bound(bookingDraft(now)), ([draft, itinerary]) =>
    subscribeSchema.parse(renderBooking(draft, { itinerary, now, pnr: 'ABC123' })),
  );
});

test('a complete booking lacks nothing', () => {
  expectLaws(completeBookingDraft(now), ({ passengers }) =>
    expect(lacks(passengersSchema.parse(passengers), true)).toEqual([]),
  );
});

test('legs follow each other as instants, three hours or more apart, each clear of changeovers', () => {
  expectLaws(bound(bookingDraft(now)), ([draft, itinerary]) => {
    const instants = legInstants(draft, { itinerary, now, pnr: null });
    itinerary.legs.forEach((leg, index) => {
      const { departure, arrival } = instants[index] ?? { departure: 0, arrival: 0 };
      expect(arrival).toBeGreaterThan(departure);
      expect((instants[index + 1]?.departure ?? Infinity) - arrival).toBeGreaterThanOrEqual(3 * hourMs);
      expect(instantsOf(localDateTime(departure, zoneOf(leg.origin)), zoneOf(leg.origin))).toHaveLength(1);
    });
  });
});

test('the first departure is 9 to 61 days ahead, in whole minutes', () => {
  expectLaws(bound(bookingDraft(now)), ([draft, itinerary]) => {
    const departure = departureOf(draft, { itinerary, now, pnr: null });
    expect(departure - now).toBeGreaterThan(9 * dayMs);
    expect(departure - now).toBeLessThan(61.5 * dayMs);
    expect(departure % 60_000).toBe(0);
  });
});

describe('the simple booking', () => {
  const [itinerary = { airline: '', legs: [] }] = itinerariesToTry('dateLine', null);

  test('is complete, and two weeks ahead on the calendar of the origin', () => {
    const body = subscribeSchema.parse(simpleBooking({ itinerary, now, pnr: 'ABC123' }));
    expect(lacks(body.passengers, true)).toEqual([]);
    expect(body.pnr).toBe('ABC123');
    expect(body.flights).toMatchInlineSnapshot(`
      [
        {
          "airline": "HA",
          "arrival_datetime": "2031-10-19T22:30:00",
          "departure_datetime": "2031-10-20T10:30:00",
          "destination": "HNL",
          "flight_number": "822",
          "origin": "NRT",
        },
        {
          "airline": "HA",
          "arrival_datetime": "2031-10-20T11:30:00",
          "departure_datetime": "2031-10-20T01:30:00",
          "destination": "LAX",
          "flight_number": "10",
          "origin": "HNL",
        },
      ]
    `);
  });

  test('leaves the record locator out where there is none', () => {
    expect(simpleBooking({ itinerary, now, pnr: null })).not.toHaveProperty('pnr');
  });

  test('departs at a given instant, rounded up to the minute, by the clock of the origin', () => {
    const departure = Date.UTC(2031, 9, 6, 5, 40, 12);
    const { flights } = subscribeSchema.parse(simpleBooking({ itinerary, now, pnr: null, departure }));
    expect(flights[0]?.departure_datetime).toBe('2031-10-06T14:41:00');
  });
});

test('a departure that would fall into a skipped or repeated hour moves away from it', () => {
  const itinerary = { airline: 'BA', legs: [{ flightNumber: '1', origin: 'LHR', destination: 'JFK' }] };
  const [draft] = fc.sample(bookingDraft(now), { seed: 1, numRuns: 1 });
  if (draft === undefined) throw new Error('no draft');
  const clockOf = (from: number, minuteOfDay: number) => {
    const instant = departureOf(
      { ...draft, daysAhead: 20, minuteOfDay },
      { itinerary, now: from, pnr: null },
    );
    return localDateTime(instant, 'Europe/London').hour;
  };
  expect(clockOf(Date.UTC(2031, 9, 6, 12), 90)).toBe(2);
  expect(clockOf(Date.UTC(2031, 2, 10, 12), 90)).not.toBe(1);
});
