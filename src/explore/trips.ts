import type { Itinerary } from '../core/settings.ts';
import { zoneOf, type ItineraryKind } from '../spec/kit/places.ts';

/** Itineraries to book: the kinds of the places, one more leg behind two, and one abroad before or behind a domestic one. */
export type Trip = ItineraryKind | 'threeLegs' | 'domesticFirst' | 'domesticLast';

export const kindOf = (trip: Trip): ItineraryKind =>
  trip === 'threeLegs' ? 'twoLeg' : trip === 'domesticFirst' || trip === 'domesticLast' ? 'domestic' : trip;

/** Another leg of the same airline, from or to a place abroad. */
function further(itinerary: Itinerary, where: 'before' | 'behind'): Itinerary {
  const [first, last] = [itinerary.legs[0], itinerary.legs.at(-1)];
  if (!first || !last) return itinerary;
  const legs =
    where === 'behind'
      ? [
          ...itinerary.legs,
          { flightNumber: '9', origin: last.destination, destination: abroad(last.destination) },
        ]
      : [{ flightNumber: '8', origin: abroad(first.origin), destination: first.origin }, ...itinerary.legs];
  return { ...itinerary, legs };
}

/** How those are made that no place names. */
export const derived: Readonly<Partial<Record<Trip, (found: Itinerary) => Itinerary>>> = {
  threeLegs: (found) => further(found, 'behind'),
  domesticFirst: (found) => further(found, 'behind'),
  domesticLast: (found) => further(found, 'before'),
};

const abroad = (code: string) => (zoneOf(code).startsWith('Europe/') ? 'JFK' : 'LHR');
