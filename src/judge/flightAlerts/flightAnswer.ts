import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../core/evidence.ts';
import { answered, describeResponse, errorCode, hasApiBody, ok } from '../kernel/answer.ts';
import { bodyOf, isObject, memberOf, responseOf, type Json, type JsonObject } from '../kernel/body.ts';
import { shownLegs } from '../../spec/world/legs.ts';
import { all, holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';
import { describeValue } from '../kernel/rule.ts';
import { valueAt } from './legSnapshot.ts';

export type Route = readonly [departure: string, arrival: string];

/** The airport codes of the legs that an answer shows, in its order; blank where a code is missing. */
export function routesOf(exchange: Exchange): readonly Route[] {
  return shownLegs(exchange).map(({ leg }): Route => [codeOf(leg.departure), codeOf(leg.arrival)]);
}

/** The leg that an answer shows for a route, or null. A subscribe shows the one that was selected, also without its codes. */
export function legAt(exchange: Exchange, route: Route): JsonObject | null {
  const isNameless = (code: string) => exchange.operation === 'fla.subscribe' && code === '';
  const index = routesOf(exchange).findIndex((one) =>
    one.every((code, end) => code === route[end] || isNameless(code)),
  );
  return shownLegs(exchange)[index]?.leg ?? null;
}

/** Whether a lookup answers 200 with the legs of another one, in the same order. */
export function sameLegs(actual: Exchange, expected: Exchange): Judgement {
  return all(answered(actual, ok), judgeRoutes(routesOf(actual), routesOf(expected)));
}

/** Whether two answers to one lookup spell the numbers of their legs alike, whoever asked. */
export function sameNumbers(actual: Exchange, expected: Exchange): Judgement {
  const [shown = [], wanted = []] = [actual, expected].map((one) =>
    shownLegs(one).map(({ leg }) => describeValue(leg.flightNumber)),
  );
  const at = shown.findIndex((number, index) => wanted[index] !== undefined && wanted[index] !== number);
  return at < 0
    ? holds
    : violated('number', `flightNumber ${wanted[at] ?? ''}`, `flightNumber ${shown[at] ?? ''}`);
}

/** Whether a lookup answers 200 with these legs, and perhaps with more. */
export function showsLegs(exchange: Exchange, routes: readonly Route[]): Judgement {
  const shown = routesOf(exchange);
  const isThere = (route: Route) => shown.some((one) => one.join() === route.join());
  const missing = routes.filter((route) => !isThere(route));
  const lost = violated('legs', `the legs ${describeRoutes(missing)}`, describeRoutes(shown));
  return all(answered(exchange, ok), missing.length === 0 ? holds : lost);
}

/** Whether a lookup answers with an array itself: legs in another form are read as well, so that other rules can be judged. */
export function isBareArray(exchange: Exchange): Judgement {
  const response = responseOf(exchange);
  const body = response && bodyOf(response);
  if (body?.kind === 'json' && Array.isArray(body.value)) return holds;
  return violated('array', 'a JSON array', body?.kind === 'json' ? describeValue(body.value) : 'no JSON');
}

/** Whether a lookup answers 200 with exactly these legs, in whatever order. */
export function exactLegs(exchange: Exchange, routes: readonly Route[]): Judgement {
  const sorted = (list: readonly Route[]) =>
    list.toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
  return all(answered(exchange, ok), judgeRoutes(sorted(routesOf(exchange)), sorted(routes)));
}

function judgeRoutes(actual: readonly Route[], expected: readonly Route[]): Judgement {
  if (isDeepStrictEqual(actual, expected)) return holds;
  return violated('legs', `the legs ${describeRoutes(expected)}`, describeRoutes(actual));
}

function describeRoutes(routes: readonly Route[]): string {
  return routes.length === 0 ? 'none' : routes.map((route) => route.join('-')).join(', ');
}

/**
 * A subscribe to a leg that the deployment serves. Where the flight is one of the world, it may be known twice without
 * showing it; and a missing partner or stored status is nobody's fault that can be proved.
 */
export function subscribed(exchange: Exchange, source: 'state' | 'config' | 'found'): Judgement {
  const [status, code] = [responseOf(exchange)?.status, errorCode(exchange)];
  const isOfTheWorld = status === 409 && code === 'AMBIGUOUS_FLIGHT' && source !== 'state';
  if (isOfTheWorld || (status === 404 && code === 'NOT_FOUND'))
    return unclear(`${exchange.id}: ${describeResponse(exchange)}`);
  if (exchange.operation === 'fla.subscribe' && status === 200 && memberOf(exchange, 'success') !== true)
    return violated(
      'success',
      'success true',
      `success ${JSON.stringify(memberOf(exchange, 'success') ?? null)}`,
    );
  return answered(exchange, ok);
}

/** A failure of upstream that was provoked: 502 with this code. A 502 without a body of the API is a gateway's. */
export function upstreamFailed(exchange: Exchange, code: string): Judgement {
  const response = responseOf(exchange);
  const said = describeResponse(exchange);
  if (response && response.status > 500) {
    if (!hasApiBody(exchange)) return unclear(`${exchange.id}: ${said}, which may be a gateway's`);
    if (response.status !== 502) return violated('answer', `HTTP 502 ${code}`, said);
  }
  return answered(exchange, { status: 502, code });
}

/** What succeeds now that upstream works again: another failure of upstream, said by the API itself, is none. */
export function recovered(exchange: Exchange): Judgement {
  if (responseOf(exchange)?.status !== 502 || !hasApiBody(exchange)) return answered(exchange, ok);
  return violated('answer', 'HTTP 200', describeResponse(exchange));
}

/** Whether a leg whose schedule is whole is shown: other blank or zero values are not invalid data. */
export function unbroken(exchange: Exchange, route: Route): Judgement {
  const status = responseOf(exchange)?.status;
  if (status === 500 || (status === 502 && errorCode(exchange) === 'INVALID_PROVIDER_DATA'))
    return violated('answer', 'HTTP 200', describeResponse(exchange));
  if (status === 200 && Array.isArray(memberOf(exchange))) return exactLegs(exchange, [route]);
  return unclear(`${exchange.id}: ${describeResponse(exchange)}, without legs in an array`);
}

const clock = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Whether every leg that has both times is scheduled to arrive after it departs; both are on one clock. */
export function arrivesLater(exchange: Exchange): Judgement {
  const timed = shownLegs(exchange).flatMap(({ at, leg }) => {
    const [departure, arrival] = [timeAt(leg, 'departure'), timeAt(leg, 'arrival')];
    return departure === null || arrival === null ? [] : [{ at, departure, arrival }];
  });
  if (timed.length === 0) return unclear(`${exchange.id}: no leg has both scheduled times`);
  // Times of this form sort as text.
  const wrong = timed.find(({ departure, arrival }) => arrival <= departure);
  if (!wrong) return holds;
  const { at, departure, arrival } = wrong;
  return violated('order', 'an arrival after the departure', `${at} from ${departure} to ${arrival}`);
}

function timeAt(leg: JsonObject, end: 'departure' | 'arrival'): string | null {
  const time = valueAt(leg, `${end}.scheduledTime`);
  return typeof time === 'string' && clock.test(time) && !time.startsWith('0000') ? time : null;
}

function codeOf(end: Json | undefined): string {
  const code = isObject(end) ? end.airportIata : null;
  return typeof code === 'string' ? code.trim().toUpperCase() : '';
}

/** Whether a text appears nowhere in the body of an answer. `what` names it in the finding. */
export function holdsNowhere(exchange: Exchange, text: string, what: string): Judgement {
  const response = responseOf(exchange);
  if (!response) return unclear(`${exchange.id}: no response`);
  const isThere = Buffer.from(response.body).includes(JSON.stringify(text).slice(1, -1));
  return isThere ? violated('shown', `nothing of ${what}`, `${what} in the body`) : holds;
}
