import { objectsAt, textAt, type JsonObject } from '../../spec/kit/json.ts';
import { dayMs } from '../../spec/kit/localTime.ts';
import { triedAirlines, unassignedAirline } from '../../spec/kit/places.ts';
import type { Situation } from '../situation.ts';
import type { Stage, Trip } from '../stage.ts';
import { subscribeWith } from './subscribes.ts';

type Legs = readonly JsonObject[];

const at = (legs: Legs, index: number, change: (leg: JsonObject) => JsonObject): Legs =>
  legs.map((leg, place) => (place === index ? change(leg) : leg));

/** Trips that no service may accept, for faults of legs behind the second and for two faults of which one comes first. */
const trips: Readonly<Record<string, readonly [Trip, (legs: Legs) => Legs]>> = {
  'another airline on the third leg': ['threeLegs', (legs) => at(legs, 2, byAnother)],
  'another airline on the second of three legs': ['threeLegs', (legs) => at(legs, 1, byAnother)],
  'a third leg from elsewhere': ['threeLegs', (legs) => at(legs, 2, (leg) => ({ ...leg, origin: 'CDG' }))],
  'a second leg from elsewhere': ['twoLeg', (legs) => at(legs, 1, (leg) => ({ ...leg, origin: 'CDG' }))],
  'the second leg before the first': ['twoLeg', (legs) => at(legs, 1, (leg) => earlier(leg, 2))],
  'the second leg before the first, without arrivals': [
    'twoLeg',
    (legs) => at(legs, 1, (leg) => earlier(leg, 2)).map((leg) => ({ ...leg, arrival_datetime: null })),
  ],
  'the third leg before the second': ['threeLegs', (legs) => at(legs, 2, (leg) => earlier(leg, 2))],
  'an arrival before the departure': [
    'international',
    (legs) =>
      legs.map((leg) => ({ ...leg, arrival_datetime: shifted(textAt(leg, 'departure_datetime'), -2) })),
  ],
  'an unknown airline': ['international', (legs) => legs.map(byNobody)],
};

/** Journeys that are rejected, alone and with a fault of the payload, which comes first. */
export const journeys: readonly Situation<Stage>[] = Object.entries(trips).flatMap(([name, [trip, change]]) =>
  [false, true].map((isEmpty): Situation<Stage> => ({
    name: `a journey with ${name}${isEmpty ? ' and without passengers' : ''}`,
    family: 'journeys',
    cells: isEmpty ? ['journey and payload', `journey and payload ${name}`] : ['journey', `journey ${name}`],
    price: 1,
    worth: isEmpty ? 0.6 : 1,
    isPossible: (stage) => stage.has(trip),
    bring: async (stage) => {
      await stage.prepare(trip);
      if (!stage.has(trip)) return;
      const body = stage.booking({ trip });
      const flights = change(objectsAt(body, 'flights'));
      const booked = { ...body, flights, ...(isEmpty ? { passengers: [] } : {}) };
      await subscribeWith(stage, booked, { what: 'rejected journey' });
    },
  })),
);

function byAnother(leg: JsonObject): JsonObject {
  const code = textAt(leg, 'airline');
  const other = triedAirlines.find(({ iata, icao }) => iata !== code && icao !== code);
  return { ...leg, airline: (code.length === 3 ? other?.icao : other?.iata) ?? code };
}

function byNobody(leg: JsonObject): JsonObject {
  return {
    ...leg,
    airline: textAt(leg, 'airline').length === 3 ? unassignedAirline.icao : unassignedAirline.iata,
  };
}

function earlier(leg: JsonObject, days: number): JsonObject {
  return {
    ...leg,
    departure_datetime: shifted(textAt(leg, 'departure_datetime'), -days),
    arrival_datetime: null,
  };
}

function shifted(clock: string, days: number): string {
  return new Date(Date.parse(`${clock}Z`) + days * dayMs).toISOString().slice(0, 19);
}
