import {
  type CheckContext,
  type LegChanges,
  type Route,
  legAt,
  mayBeUnavailable,
  showsLegs,
} from '../checks.ts';
import { type LegToPut, put, rendered, showFlight } from './flights.ts';

/** The route of the flights that are shown. */
export const route: Route = ['DOH', 'SIN'];

/** The three times of each end of a leg. */
export const times = ['scheduledTime', 'estimatedTime', 'actualTime'].flatMap((time) => [
  `departure.${time}`,
  `arrival.${time}`,
]);

/** Puts a flight with one leg for each of the changes, and looks it up. */
export async function showChanged(
  t: CheckContext,
  legs: readonly LegChanges[],
  departureDate?: string,
  look = showFlight,
) {
  const puts = legs.map((changes, index): LegToPut => ({ route: ['DOH', code(index)], changes }));
  const flight = await put(t, puts, departureDate === undefined ? {} : { departureDate });
  const seen = await look(t, flight);
  const shown = puts.map((leg) => ({ given: rendered(flight, leg), leg: legAt(seen, leg.route) }));
  return { flight, seen, shown };
}

type ShownFlight = Awaited<ReturnType<typeof showChanged>>;

/** Legs that a lookup has to show, and those that it should: which ones are available is not stated. */
export function judgeLegs(t: CheckContext, { seen, shown }: ShownFlight): void {
  const routesWith = (isDoubtful: boolean) =>
    shown.flatMap(({ given }, index): Route[] =>
      mayBeUnavailable(given.status) === isDoubtful ? [['DOH', code(index)]] : [],
    );
  t.judge(seen, { 'FLA-GET-006': showsLegs(seen, routesWith(false)) });
  t.judge(seen, { 'FLA-GET-040': showsLegs(seen, routesWith(true)) });
}

/** Without the legs that are not shown, which are judged as such. */
export function seenOnly({ shown }: ShownFlight): ShownFlight['shown'] {
  return shown.filter(({ leg }) => leg !== null);
}

/** Enough airports for as many legs from Doha. */
const airports = ['SIN', 'BKK', 'NRT', 'DXB', 'AMS', 'CDG', 'LHR', 'ZRH', 'HND', 'JFK', 'FRA'];

const code = (index: number) => airports[index % airports.length] ?? 'SIN';
