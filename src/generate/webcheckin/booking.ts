import * as fc from 'fast-check';
import type { Itinerary, ItineraryLeg } from '../../core/settings.ts';
import { preferredForm, renderDateTime, type DateTimeForm } from '../../spec/grammar/clockSpelling.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import {
  hourMs,
  instantsOf,
  localDateTime,
  minuteMs,
  offsetAt,
  unambiguousFrom,
} from '../../spec/kit/localTime.ts';
import { dateTimeForm } from './clocks.ts';
import { completePassenger, passenger, simplePassenger } from './passenger.ts';
import { isInternational, zoneOf } from '../../spec/kit/places.ts';

/** How one leg's clocks are written. */
interface LegForms {
  readonly departure: DateTimeForm;
  readonly arrival: 'absent' | 'null' | DateTimeForm;
}

/** A booking before it is bound to an itinerary, a moment and a record locator. */
export interface BookingDraft {
  readonly passengers: readonly JsonObject[];
  /** Days from today to the first departure, on the calendar of its airport. */
  readonly daysAhead: number;
  /** Minute of the day of the first departure. */
  readonly minuteOfDay: number;
  readonly connectionMinutes: number;
  /** Used in turn, leg by leg. */
  readonly forms: readonly LegForms[];
  /** Absent or null: both mean that no callback is wanted. */
  readonly callbackData: 'absent' | 'null';
}

/** What a draft is rendered for. A `pnr` of null leaves the member out. */
interface BookingTarget {
  readonly itinerary: Itinerary;
  readonly now: number;
  readonly pnr: string | null;
  /** The instant of the first departure, where a rule depends on it; else the draft's own day and minute. */
  readonly departure?: number;
}

/** Any valid booking; its passengers may lack what readiness needs. */
export function bookingDraft(now: number): fc.Arbitrary<BookingDraft> {
  return draftOf(passenger(now));
}

/** Any valid booking whose passengers have every field filled. */
export function completeBookingDraft(now: number): fc.Arbitrary<BookingDraft> {
  return draftOf(completePassenger(now));
}

/** The plain complete booking: one passenger, two weeks ahead at half past ten, preferred forms. */
export function simpleBooking(target: BookingTarget): JsonObject {
  return renderBooking({ ...simpleDraft, passengers: [simplePassenger(target.now, target.pnr)] }, target);
}

/** The JSON body of a subscribe. */
export function renderBooking(draft: BookingDraft, target: BookingTarget): JsonObject {
  return {
    ...(target.pnr === null ? {} : { pnr: target.pnr }),
    flights: renderFlights(draft, target),
    passengers: draft.passengers,
    ...(draft.callbackData === 'absent' ? {} : { callbackData: null }),
  };
}

/** The instant of the first departure, in whole minutes, clear of hours that daylight saving skips or repeats. */
export function departureOf(draft: BookingDraft, { itinerary, now, departure }: BookingTarget): number {
  if (departure !== undefined) return Math.ceil(departure / minuteMs) * minuteMs;
  const zone = zoneOf(itinerary.legs[0]?.origin ?? '');
  const { year, month, day } = localDateTime(now, zone);
  const wallClock = Date.UTC(year, month - 1, day + draft.daysAhead, 0, draft.minuteOfDay);
  const [instant] = instantsOf(localDateTime(wallClock, 'UTC'), zone);
  return unambiguousFrom(instant ?? wallClock - offsetAt(wallClock, zone), zone);
}

/** Departure and arrival of every leg, in travel order, with three hours or more between an arrival and the next departure. */
export function legInstants(draft: BookingDraft, target: BookingTarget): readonly LegInstants[] {
  const flightMs = isInternational(target.itinerary) ? 7 * hourMs : 2 * hourMs;
  const instants: LegInstants[] = [];
  for (const leg of target.itinerary.legs) {
    const before = instants.at(-1);
    const departure =
      before === undefined
        ? departureOf(draft, target)
        : unambiguousFrom(before.arrival + draft.connectionMinutes * minuteMs, zoneOf(leg.origin));
    instants.push({ departure, arrival: unambiguousFrom(departure + flightMs, zoneOf(leg.destination)) });
  }
  return instants;
}

interface LegInstants {
  readonly departure: number;
  readonly arrival: number;
}

const simpleDraft: Omit<BookingDraft, 'passengers'> = {
  daysAhead: 14,
  minuteOfDay: 10 * 60 + 30,
  connectionMinutes: 180,
  forms: [{ departure: preferredForm, arrival: preferredForm }],
  callbackData: 'absent',
};

function draftOf(traveller: fc.Arbitrary<JsonObject>): fc.Arbitrary<BookingDraft> {
  return fc.record(
    {
      passengers: fc.array(traveller, { minLength: 1, maxLength: 4 }),
      daysAhead: fc.integer({ min: 10, max: 60 }),
      minuteOfDay: fc.integer({ min: 0, max: 24 * 60 - 1 }),
      connectionMinutes: fc.integer({ min: 180, max: 600 }),
      forms: fc.array(legForms, { minLength: 1, maxLength: 3 }),
      callbackData: fc.constantFrom('absent', 'null'),
    },
    { noNullPrototype: true },
  );
}

const legForms: fc.Arbitrary<LegForms> = fc.record({
  departure: dateTimeForm,
  arrival: fc.oneof(fc.constantFrom('absent', 'null'), dateTimeForm),
});

function renderFlights(draft: BookingDraft, target: BookingTarget): readonly JsonObject[] {
  const instants = legInstants(draft, target);
  return target.itinerary.legs.map((leg, index) => ({
    airline: target.itinerary.airline,
    flight_number: leg.flightNumber,
    origin: leg.origin,
    destination: leg.destination,
    ...renderClocks(leg, instants[index], draft.forms[index % draft.forms.length]),
  }));
}

function renderClocks(leg: ItineraryLeg, at?: LegInstants, forms?: LegForms): JsonObject {
  if (at === undefined || forms === undefined) return {};
  const departure = localDateTime(at.departure, zoneOf(leg.origin));
  const arrival = localDateTime(at.arrival, zoneOf(leg.destination));
  return {
    departure_datetime: renderDateTime(departure, forms.departure),
    ...(forms.arrival === 'absent'
      ? {}
      : { arrival_datetime: forms.arrival === 'null' ? null : renderDateTime(arrival, forms.arrival) }),
  };
}
