import * as fc from 'fast-check';
import { utcDate } from '../../src/spec/kit/localTime.ts';
import type { Breaks } from './corruptions.ts';

/** Valid departure dates, 1 to 60 days ahead in UTC. */
export function departureDates(now: number): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 60 }).map((days) => utcDate(now, days));
}

/** What each corruption of a flight number or departure date breaks, in a lookup and in a subscribe alike. */
export const flightAndDateBreaks: Breaks = {
  'no-digits': 'flightNumber grammar',
  'too-many-digits': 'flightNumber grammar',
  'hundreds-of-digits': 'flightNumber grammar',
  'breaking-character': 'flightNumber grammar',
  quote: 'flightNumber grammar',
  'prefix-of-one': 'flightNumber grammar',
  'prefix-too-long': 'flightNumber grammar',
  'letter-after-digits': 'flightNumber grammar',
  'foreign-character': 'flightNumber grammar',
  'digits-beyond-ascii': 'flightNumber grammar',
  'letters-beyond-ascii': 'flightNumber grammar',
  'date-one-digit': 'departureDate form',
  'date-compact': 'departureDate form',
  'date-two-digit-year': 'departureDate form',
  'date-other-digits': 'departureDate form',
  'date-wide-digits': 'departureDate form',
  'zero-character': 'flightNumber grammar',
  'date-day-first': 'departureDate form',
  'date-slashes': 'departureDate form',
  'date-without-day': 'departureDate form',
  'date-with-time': 'departureDate form',
  'date-with-zone': 'departureDate form',
  'date-with-line-end': 'departureDate form',
  'date-with-white-space': 'departureDate form',
  'date-nonexistent-day': 'departureDate calendar',
  'date-leap-day-of-a-century': 'departureDate calendar',
  'date-month-13': 'departureDate calendar',
  'date-month-00': 'departureDate calendar',
  'date-past': 'departureDate past',
};
