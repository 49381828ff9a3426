import * as fc from 'fast-check';
import { atEnd, inElement, row, type Corruption, type Mutation } from '../kit/corruption.ts';
import { parseLocal } from '../flightAlerts/flightCorruptions.ts';
import { objectsAt, textAt, without, type JsonObject } from '../kit/json.ts';
import { utcDate } from '../kit/localTime.ts';
import { renderDateTime, preferredForm } from './dateTimeForms.ts';
import { parseDate } from '../kit/impossibleDates.ts';
import { airports, triedAirlines } from '../kit/places.ts';

const legs = (body: JsonObject) => objectsAt(body, 'flights').length;

/**
 * Trips that no service may accept, whichever step refuses them. Lead times near six hours are not among them: those are
 * bookings rendered for a given departure.
 */
export function journeyCorruptions(now: number): readonly Corruption[] {
  return [
    row('WCI-JRN-005', 'departure-in-the-past', atEnd('first', 'flights', departedBefore(now)), 'any'),
    {
      ...row('WCI-JRN-007', 'origin-is-destination', inElement('flights', roundTrip), 'any'),
      applicable: oneLeg,
    },
    { ...row('WCI-JRN-008', 'legs-not-connected', elsewhere, 'any'), applicable: severalLegs },
    {
      ...row('WCI-JRN-009', 'two-airlines', inElement('flights', otherAirline, 1), 'any'),
      applicable: severalLegs,
    },
    { ...row('WCI-JRN-010', 'legs-reversed', reversed, 'any'), applicable: severalLegs },
  ];
}

const oneLeg = (body: JsonObject) => legs(body) === 1;
const severalLegs = (body: JsonObject) => legs(body) > 1;

// Two days or more before the UTC day of now, so past in every time zone.
function departedBefore(now: number): fc.Arbitrary<Mutation> {
  return fc.integer({ min: 2, max: 40 }).map((days) => (flight: JsonObject) => {
    const local = { ...parseLocal(textAt(flight, 'departure_datetime')), ...parseDate(utcDate(now, -days)) };
    return {
      ...without(flight, 'arrival_datetime'),
      departure_datetime: renderDateTime(local, preferredForm),
    };
  });
}

const roundTrip = fc.constant((flight: JsonObject) => ({ ...flight, destination: flight.origin ?? null }));

const elsewhere = inLaterLeg(fc.constantFrom(...airports.map(({ code }) => code)), (code, flight, used) => ({
  ...flight,
  origin: used.includes(code) ? (airports.find((other) => !used.includes(other.code))?.code ?? code) : code,
}));

// An airline that is not supported would be refused for that alone.
const otherAirline = fc.constantFrom(...triedAirlines).map((airline) => (flight: JsonObject) => {
  const current = textAt(flight, 'airline');
  const chosen =
    [airline, ...triedAirlines].find(({ iata, icao }) => ![iata, icao].includes(current)) ?? airline;
  return { ...flight, airline: current.length === 3 ? chosen.icao : chosen.iata };
});

const reversed = fc.constant((body: JsonObject): JsonObject => ({
  ...body,
  flights: objectsAt(body, 'flights').toReversed(),
}));

type Change<T> = (value: T, flight: JsonObject, usedAirports: readonly string[]) => JsonObject;

function inLaterLeg<T>(values: fc.Arbitrary<T>, change: Change<T>): fc.Arbitrary<Mutation> {
  return values.map((value) => (body: JsonObject) => {
    const flights = objectsAt(body, 'flights');
    const used = flights.flatMap((flight) => [textAt(flight, 'origin'), textAt(flight, 'destination')]);
    return {
      ...body,
      flights: flights.map((flight, at) => (at === 1 ? change(value, flight, used) : flight)),
    };
  });
}
