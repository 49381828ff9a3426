import { z } from 'zod';
import { annotate } from './annotations.ts';

const airport = annotate(z.string().regex(/^[A-Z]{3}$/), {
  description: 'Airport, three letters.',
  examples: ['FRA'],
});

/** Airline code, two or three letters or digits. */
export const airline = z.string().regex(/^[A-Z0-9]{2,3}$/);

const flightNumber = annotate(z.string().regex(/^[A-Z0-9]{1,7}$/), {
  description: 'Flight number, as the target accepts it.',
  examples: ['LH400'],
});

const itineraryLeg = z.strictObject({ flightNumber, origin: airport, destination: airport });

/** A booking that the target is known to support, with this many legs. */
export function itinerary(legs: number) {
  return z.strictObject({
    airline: annotate(airline, {
      description: 'Airline code, two or three letters or digits.',
      examples: ['LH'],
    }),
    legs: annotate(z.array(itineraryLeg).min(legs).max(legs), {
      description: `The ${legs} legs in travel order.`,
      examples: [[{ flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' }]],
    }),
  });
}

/** A flight and date that the target is known to serve; its legs if they are known. */
export const knownFlight = z.strictObject({
  flightNumber,
  departureDate: annotate(z.union([z.iso.date(), z.int().min(0).max(365)]), {
    description: 'A date, or days from the day of the run.',
    examples: ['2030-05-01', 3],
  }),
  legs: annotate(z.array(z.strictObject({ departure: airport, arrival: airport })).default([]), {
    description: 'Its legs, if they are known.',
  }),
});
