import { z } from 'zod';

const airport = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'Airport, three letters.', examples: ['FRA'] });

const airline = z
  .string()
  .regex(/^[A-Z0-9]{2,3}$/)
  .meta({ description: 'Airline code, two or three letters or digits.', examples: ['LH'] });

const flightNumber = z
  .string()
  .regex(/^[A-Z0-9]{1,7}$/)
  .meta({ description: 'Flight number, as the target takes it.', examples: ['LH400'] });

const itineraryLeg = z.strictObject({ flightNumber, origin: airport, destination: airport });

const itinerary = (legs: number, description: string) =>
  z
    .strictObject({
      airline,
      legs: z
        .array(itineraryLeg)
        .min(legs)
        .max(legs)
        .meta({
          description: `The legs in travel order, ${legs} of them.`,
          examples: [[{ flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' }]],
        }),
    })
    .meta({ description });

/** Bookings that the target is known to support. */
export const itinerariesSchema = z
  .strictObject({
    domestic: itinerary(1, 'A flight within one country.').optional(),
    international: itinerary(1, 'A flight between two countries.').optional(),
    twoLeg: itinerary(2, 'A connected journey of two legs.').optional(),
    unsupportedAirline: airline
      .meta({ description: 'An airline that it does not support.', examples: ['ZZ'] })
      .optional(),
  })
  .meta({ description: 'Bookings that the target is known to support.' });

/** A flight and date that the target is known to serve. */
export const knownFlightSchema = z.strictObject({
  flightNumber,
  departureDate: z
    .union([z.iso.date(), z.int().min(0).max(365)])
    .meta({ description: 'A date, or days from the day of the run.', examples: ['2030-05-01', 3] }),
  legs: z
    .array(z.strictObject({ departure: airport, arrival: airport }))
    .default([])
    .meta({ description: 'Its legs, where they are known.' }),
});
