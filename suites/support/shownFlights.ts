import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type LegChanges,
  type Route,
  all,
  answered,
  differs,
  holds,
  is,
  legAt,
  mayBeUnavailable,
  otherLegs,
  ok,
  responseOf,
  routesOf,
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

/** Whether a text appears nowhere in the body of an answer. `what` names it in the finding. */
export function holdsNowhere(exchange: Exchange, text: string, what: string): Judgement {
  const response = responseOf(exchange);
  if (!response) return unclear(`${exchange.id}: no response`);
  const isThere = Buffer.from(response.body).includes(JSON.stringify(text).slice(1, -1));
  return isThere ? differs('shown', 'body', is.text(`nothing of ${what}`), is.text(what)) : holds;
}

/** Whether a lookup answers 200 with these legs, and perhaps with more. */
function showsLegs(exchange: Exchange, routes: readonly Route[]): Judgement {
  const shown = routesOf(exchange);
  const isThere = (route: Route) => shown.some((one) => one.join() === route.join());
  const missing = routes.filter((route) => !isThere(route));
  const lost = otherLegs(shown, missing);
  return all(answered(exchange, ok), missing.length === 0 ? holds : lost);
}
