import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type LegChanges,
  type Route,
  differs,
  holds,
  is,
  legAt,
  responseOf,
  unclear,
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

/** Enough airports for as many legs from Doha. */
const airports = ['SIN', 'BKK', 'NRT', 'DXB', 'AMS', 'CDG', 'LHR', 'ZRH', 'HND', 'JFK', 'FRA'];

const code = (index: number) => airports[index % airports.length] ?? 'SIN';

/** Whether a text appears nowhere in the body of an answer. `what` names it in the finding. */
export function holdsNowhere(exchange: Exchange, text: string, what: string): Judgement {
  const response = responseOf(exchange);
  if (!response) return unclear(`${exchange.id}: no response`);
  const isThere = Buffer.from(response.body).includes(JSON.stringify(text).slice(1, -1));
  return isThere ? differs('shown', 'body', is.text(`nothing of ${what}`), is.text(what)) : holds;
}
