import { type CheckContext, type Exchange, type LegChanges, type Route } from '../checks.ts';
import { lookUp, put } from './flights.ts';

/** The route of the first leg that is shown. */
export const route: Route = ['DOH', 'SIN'];

/** Puts a flight with one leg for each of the changes, and looks it up. */
export async function showLegs(
  t: CheckContext,
  legs: readonly LegChanges[],
  departureDate?: string,
): Promise<Exchange> {
  const puts = legs.map((changes, index) => ({ route: ['DOH', code(index)] as const, changes }));
  return lookUp(t, await put(t, puts, departureDate === undefined ? {} : { departureDate }));
}

/** Enough airports for as many legs from Doha. */
const airports = ['SIN', 'BKK', 'NRT', 'DXB', 'AMS', 'CDG', 'LHR', 'ZRH', 'HND', 'JFK', 'FRA'];

const code = (index: number) => airports[index % airports.length] ?? 'SIN';
