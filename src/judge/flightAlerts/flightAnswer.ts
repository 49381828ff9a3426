import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../core/evidence.ts';
import { answered, describeResponse, errorCode, hasApiBody, ok } from '../kernel/answer.ts';
import { isObject, memberOf, responseOf, type Json, type JsonObject } from '../kernel/body.ts';
import { shownLegs } from './flight.ts';
import { all, holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';

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

/** The `callbackApiKey` of an answer; null where none is returned, in whatever way it is left out. */
export function keyOf(exchange: Exchange): string | null {
  const key = memberOf(exchange, 'callbackApiKey');
  return typeof key === 'string' && key !== '' ? key : null;
}

/** Whether the answer returns a key. What the key is stays out of the judgement. */
export function returnsKey(exchange: Exchange): Judgement {
  if (keyOf(exchange) !== null) return holds;
  const key = memberOf(exchange, 'callbackApiKey');
  const actual = key === undefined ? 'no callbackApiKey' : `callbackApiKey ${JSON.stringify(key)}`;
  return violated('key', 'callbackApiKey as a non-empty string', actual);
}

/** Whether the answer returns none; null and a blank count as none (FLA-OPN-009). */
export function returnsNoKey(exchange: Exchange): Judgement {
  const key = keyOf(exchange);
  if (key === null) return holds;
  return violated('key', 'no callbackApiKey', `a callbackApiKey of ${key.length} characters`);
}

/** Whether simultaneous identical subscribes return one key between them. Twice the same key is no second one. */
export function oneKeyOf(exchanges: readonly Exchange[]): Judgement {
  const keys = new Set(exchanges.map(keyOf).filter((key) => key !== null));
  if (keys.size === 1) return holds;
  return violated('keys', 'one callbackApiKey in all answers', `${keys.size} different ones`);
}

/** Whether two different keys begin alike. What they are stays out of the judgement. */
export function samePrefix(one: string, other: string): Judgement {
  if (one !== '' && other.startsWith(one.slice(0, 1))) return holds;
  return violated('prefix', 'keys with one prefix', 'keys that differ from the first character on');
}

/** How an answer without a key leaves it out, as FLA-OPN-009 names it; null for another way. */
export function keyOmission(exchange: Exchange): 'absent' | 'null-value' | null {
  if (responseOf(exchange)?.status !== 200) return null;
  const key = memberOf(exchange, 'callbackApiKey');
  return key === undefined ? 'absent' : key === null ? 'null-value' : null;
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

/** Blank and zero values, such as 0000-00-00 00:00:00. */
const nothing = /^[\s0\-:]*$/;

/** Whether members that upstream was given come back as they are; each path is dotted. */
export function passedOn(
  shown: JsonObject | null,
  given: JsonObject,
  paths: readonly string[],
  options: { readonly nothingMayBeNull?: boolean } = {},
): Judgement {
  if (!shown) return unclear('the leg is not shown');
  for (const path of paths) {
    const [actual, expected] = [valueAt(shown, path), valueAt(given, path)];
    const isNothing = typeof expected === 'string' && nothing.test(expected) && actual == null;
    const isSame = isDeepStrictEqual(actual, expected) || isSameOffset(path, shown, given);
    if (isSame || (isNothing && options.nothingMayBeNull === true)) continue;
    return violated('passed-on', `${path} ${show(expected)}, as upstream has it`, `${path} ${show(actual)}`);
  }
  return holds;
}

/** Whether a leg whose schedule is whole is shown: other values that are blank or zero make it no invalid data. */
export function unbroken(exchange: Exchange, route: Route): Judgement {
  const status = responseOf(exchange)?.status;
  if (status === 500 || (status === 502 && errorCode(exchange) === 'INVALID_PROVIDER_DATA'))
    return violated('answer', 'HTTP 200', describeResponse(exchange));
  if (status === 200 && Array.isArray(memberOf(exchange))) return exactLegs(exchange, [route]);
  return unclear(`${exchange.id}: ${describeResponse(exchange)}, without legs in an array`);
}

/** Whether a leg shows no alternate routes where upstream has none; null says that there are none, too. */
export function withoutAlternates(leg: JsonObject | null): Judgement {
  if (!leg) return unclear('the leg is not shown');
  const { alternateInfo } = leg;
  if (alternateInfo == null) return holds;
  return violated('made-up', 'no alternateInfo', `alternateInfo ${show(alternateInfo)}`);
}

/** Whether a leg leaves `alternateInfo` out where upstream has none, rather than to show it as null. */
export function omitsAlternates(leg: JsonObject | null): Judgement {
  if (!leg) return unclear('the leg is not shown');
  return leg.alternateInfo === null ? violated('null', 'no alternateInfo', 'alternateInfo null') : holds;
}

/** Members that have few meanings, and so are shown as upstream has them; a number may be a text. */
const exactPaths = [
  'isCodeshare',
  'stopover.airportIata',
  'departure.airportIata',
  'arrival.airportIata',
  'departure.terminal',
  'departure.utcOffsetSeconds',
  'departure.gate',
  'arrival.terminal',
  'arrival.utcOffsetSeconds',
  'arrival.baggageBelt',
];

/** Members that upstream's value may be put in other words for. */
const freePaths = [
  'codeshareFlightNumber',
  'airline.name',
  'stopover.city',
  'departure.city',
  'arrival.city',
];

/** Whether each of these members has some value where upstream has one, in whatever words. */
export function keepsValues(
  shown: JsonObject | null,
  given: JsonObject,
  paths: readonly string[],
): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const lost = valuedPaths(given, paths).find(
    (path) => valuedPaths(shown, [path]).length === 0 && !isSameOffset(path, shown, given),
  );
  if (lost === undefined) return holds;
  return violated('lost', `${lost} ${show(valueAt(given, lost))}`, `${lost} ${show(valueAt(shown, lost))}`);
}

/** Whether every value that upstream has for a leg is shown. */
export function losesNothing(shown: JsonObject | null, given: JsonObject): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const kept = keepsValues(shown, given, [...exactPaths, ...freePaths]);
  if (kept.status !== 'holds') return kept;
  const other = valuedPaths(given, exactPaths).find((path) => {
    const [value, expected] = [plain(valueAt(shown, path)), plain(valueAt(given, path))];
    return value !== null && value !== expected && !isSameOffset(path, shown, given);
  });
  if (other === undefined) return holds;
  return violated(
    'other',
    `${other} ${show(valueAt(given, other))}`,
    `${other} ${show(valueAt(shown, other))}`,
  );
}

/** Those of the paths at which upstream has a value, rather than nothing, a blank or a zero. */
export function valuedPaths(given: JsonObject, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    const value = valueAt(given, path);
    return value != null && !(typeof value === 'string' && nothing.test(value));
  });
}

/** Whether members that upstream has no value for have none: absent, null or blank. */
export function withoutValue(shown: JsonObject | null, paths: readonly string[]): Judgement {
  if (!shown) return unclear('the leg is not shown');
  const filled = paths.find((path) => {
    const value = valueAt(shown, path);
    return value != null && !(typeof value === 'string' && nothing.test(value));
  });
  if (filled === undefined) return holds;
  return violated(
    'filled',
    `${filled} null, as upstream has none`,
    `${filled} ${show(valueAt(shown, filled))}`,
  );
}

const clock = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Whether every leg that has both times is scheduled to arrive after it departs; both are on one clock. */
export function arrivesLater(exchange: Exchange): Judgement {
  const timed = shownLegs(exchange).flatMap(({ at, leg }) => {
    const [departure, arrival] = [timeAt(leg, 'departure'), timeAt(leg, 'arrival')];
    return departure === null || arrival === null ? [] : [{ at, departure, arrival }];
  });
  if (timed.length === 0) return unclear(`${exchange.id}: no leg has both scheduled times`);
  // The form sorts as text.
  const wrong = timed.find(({ departure, arrival }) => arrival <= departure);
  if (!wrong) return holds;
  const { at, departure, arrival } = wrong;
  return violated('order', 'an arrival after the departure', `${at} from ${departure} to ${arrival}`);
}

function timeAt(leg: JsonObject, end: 'departure' | 'arrival'): string | null {
  const time = valueAt(leg, `${end}.scheduledTime`);
  return typeof time === 'string' && clock.test(time) && !time.startsWith('0000') ? time : null;
}

/** An offset may be reported as a number and shown as a text; a text of zero is one as well. */
function isSameOffset(path: string, shown: JsonObject, given: JsonObject): boolean {
  if (!path.endsWith('utcOffsetSeconds')) return false;
  const seconds = secondsOf(valueAt(shown, path));
  return seconds !== null && seconds === secondsOf(valueAt(given, path));
}

/** The seconds of an offset, which is a number or a text; null where it is neither. */
export function secondsOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  return Number.isFinite(Number(value)) ? Number(value) : null;
}

/** A text or a number as text; null for another type, which is a matter of the types. */
function plain(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export function valueAt(object: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return (value as readonly Json[])[Number(step)];
    return isObject(value) ? value[step] : undefined;
  }, object);
}

function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function codeOf(end: Json | undefined): string {
  const code = isObject(end) ? end.airportIata : null;
  return typeof code === 'string' ? code.trim().toUpperCase() : '';
}

/** The members of a leg snapshot that always have a place in it; alternateInfo may be left out. */
export const snapshotPaths: readonly string[] = [
  'flightNumber',
  'stopover.airportIata',
  'stopover.city',
  'isCodeshare',
  'codeshareFlightNumber',
  'status',
  'airline.name',
  'airline.code',
  ...[
    'airportIata',
    'city',
    'terminal',
    'utcOffsetSeconds',
    'scheduledTime',
    'estimatedTime',
    'actualTime',
  ].flatMap((member) => [`departure.${member}`, `arrival.${member}`]),
  'departure.gate',
  'departure.boardingStatus',
  'arrival.baggageBelt',
];

/** Whether one snapshot has the documented members of another, and no other documented ones. */
export function sameMembersOf(actual: JsonObject | null, expected: JsonObject | null): Judgement {
  if (!actual || !expected) return unclear('one of the two does not show the leg');
  const different = snapshotPaths.find(
    (path) => (valueAt(actual, path) === undefined) !== (valueAt(expected, path) === undefined),
  );
  if (different === undefined) return holds;
  const show = (leg: JsonObject) => (valueAt(leg, different) === undefined ? `no ${different}` : different);
  return violated('members', show(expected), show(actual));
}

const wordless = snapshotPaths.filter((path) => !freePaths.includes(path));

/** Whether two snapshots of one leg agree in all documented values but those that may be put in other words. */
export function sameValuesOf(actual: JsonObject | null, expected: JsonObject | null): Judgement {
  if (!actual || !expected) return unclear('one of the two does not show the leg');
  return passedOn(actual, expected, wordless);
}

/** Whether a text stands nowhere in the body of an answer. `what` names it in the finding. */
export function holdsNowhere(exchange: Exchange, text: string, what: string): Judgement {
  const response = responseOf(exchange);
  if (!response) return unclear(`${exchange.id}: no response`);
  const isThere = Buffer.from(response.body).includes(JSON.stringify(text).slice(1, -1));
  return isThere ? violated('shown', `nothing of ${what}`, `${what} in the body`) : holds;
}
