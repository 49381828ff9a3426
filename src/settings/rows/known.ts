import { z } from 'zod';
import { whole } from '../forms.ts';
import { airline, itinerary, knownFlight } from '../knownData.ts';
import { group, row } from '../row.ts';

/** What is known about the target: bookings, flights, rate limits and answers to open points. */
export const knownRows = {
  itineraries: group('bookings that the target is known to support', {
    domestic: row({
      form: itinerary(1),
      default: null,
      help: 'a flight within one country',
      example: { airline: 'LH', legs: [{ flightNumber: 'LH100', origin: 'FRA', destination: 'MUC' }] },
    }),
    international: row({
      form: itinerary(1),
      default: null,
      help: 'a flight between two countries',
      example: { airline: 'LH', legs: [{ flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' }] },
    }),
    twoLeg: row({
      form: itinerary(2),
      default: null,
      help: 'a connected journey of two legs',
      example: {
        airline: 'LH',
        legs: [
          { flightNumber: 'LH100', origin: 'MUC', destination: 'FRA' },
          { flightNumber: 'LH400', origin: 'FRA', destination: 'JFK' },
        ],
      },
    }),
    unsupportedAirline: row({
      form: airline,
      default: null,
      help: 'an airline that it does not support',
      example: 'ZZ',
    }),
  }),
  flights: row({
    form: z.array(knownFlight),
    default: [],
    help: 'flights and dates that the target is known to serve; a date, or days from the day of the run',
    example: [{ flightNumber: 'LH400', departureDate: 1, legs: [{ departure: 'FRA', arrival: 'JFK' }] }],
  }),
  limits: group('rate limits of the environment', {
    perMinute: row({ form: whole(1), default: 60, help: 'requests per key and minute', example: 60 }),
    perHour: row({ form: whole(1), default: 1000, help: 'requests per key and hour', example: 1000 }),
  }),
  openPoints: row({
    form: z.record(z.string(), z.string()),
    default: {},
    help: 'questions that the documents leave open, pinned to an answer, which makes them checks',
    example: { 'SHR-OPN-002': 'not-counted' },
  }),
};
