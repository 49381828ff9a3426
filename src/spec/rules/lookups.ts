import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import * as is from '../kernel/value.ts';
import type { Flight, Flights, State } from '../world/flights.ts';
import {
  flightAskedIn,
  flightName,
  mayBeUnavailable,
  requestedLeg,
  routeOf,
  shownLegs,
} from '../world/legs.ts';
import { type Fault, faultsOf, keptOf, valueAt } from './legMembers.ts';
import { historyIn } from './leftHistory.ts';
import { hasRecovered, judgeFailing } from './providerFailures.ts';
import { spellingRule } from './spellings.ts';
import { answerOf, codeOf, suspect, type Show, type Suspect } from './suspect.ts';

/** What a lookup or a subscribe shows of a flight that the state handler has made. */
export function judgeFlight(call: Call, world: Flights, show: Show): readonly Suspect[] {
  const sent = flightAskedIn(call);
  const name = sent && flightName(sent);
  const isNew = name !== null && world.isNew(name);
  world.ask(name, call);
  const { failure } = world;
  // A lookup before is optional.
  if (isNew && call.op === 'fla.subscribe' && call.status === 200) show('FLA-GET-037');
  if (call.status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND') world.shows.code = true;
  if (call.keyState !== 'active' || failure === undefined) return [];
  if (failure !== null)
    return failure.by.endedAt <= call.sentAt
      ? judgeFailing(call, { mode: failure.mode, isFresh: isNew && world.of(name) !== null }, show)
      : [];
  const flight = world.of(name);
  if (call.sentAt < world.workingSince) return [];
  if (flight?.states.length === 0) return [];
  if (!flight) return (call.op === 'fla.lookup' ? judgeAlien : judgeUnlisted)(call, name, world, show);
  const seen: Seen = { call, flight, world, show, states: world.statesFor(flight, call) };
  return call.op === 'fla.lookup' ? judgeLookup(seen) : judgeSubscribe(seen);
}

interface Seen {
  readonly call: Call;
  readonly show: Show;
  readonly flight: Flight;
  readonly world: Flights;
  /** The latest state first. */
  readonly states: readonly State[];
}

function judgeLookup(seen: Seen): readonly Suspect[] {
  const { call } = seen;
  const shown = shownLegs(call.exchange).map(({ leg }) => leg);
  const latest = seen.states[0]?.legs ?? [];
  const isEmpty = call.status === 404 || (call.status === 200 && shown.length === 0);
  if (isEmpty || call.status === 400) return judgeNotFound(seen, latest);
  if (call.status !== 200) return judgeBroken(seen, latest);
  if (!Array.isArray(call.answer)) return judgeBare(seen, latest);
  if (shown.some((leg) => /^-|-$/.test(routeOf(leg)))) return [];
  noteFound(seen, shown);
  const routes = new Set(latest.map(routeOf));
  return [
    ...judgeRoutes(seen, shown, latest),
    ...judgeValues(
      seen,
      shown.filter((leg) => routes.has(routeOf(leg))),
    ),
  ];
}

/** A single leg stands in an array as well. */
function judgeBare(seen: Seen, latest: readonly JsonObject[]): readonly Suspect[] {
  const { answer } = seen.call;
  if (latest.length !== 1 || answer === undefined || seen.states.length > 1) return [];
  // Where no lookup has an array, none shows what the handler has put.
  const what = { at: 'body', want: is.type('array'), got: is.value(answer) };
  return [suspect(seen, 'FLA-GET-005', what, null)];
}

/** Takes note that the handler does what it says. */
function noteFound({ flight, world, states }: Seen, shown: readonly JsonObject[]): void {
  const [latest, before] = [states[0], flight.states.at(-2)];
  const found = shown.flatMap((leg) => {
    const given = latest?.legs.find((one) => routeOf(one) === routeOf(leg));
    return given ? [{ leg, given, old: before?.legs.find((one) => routeOf(one) === routeOf(leg)) }] : [];
  });
  if (found.length === 0) return;
  flight.isFound = true;
  world.shows.put = true;
  if (latest?.by.operation !== 'flights.change') return;
  world.shows.change ||= found.some(({ leg, given, old }) =>
    telling.some((path) => {
      const value = valueAt(leg, path);
      return value != null && value === valueAt(given, path) && old && value !== valueAt(old, path);
    }),
  );
}

const telling = ['status', 'departure.gate', 'departure.terminal', 'departure.boardingStatus'];

function judgeRoutes(
  seen: Seen,
  shown: readonly JsonObject[],
  latest: readonly JsonObject[],
): readonly Suspect[] {
  const { call, states } = seen;
  const has = (legs: readonly JsonObject[], leg: JsonObject) =>
    legs.some((one) => routeOf(one) === routeOf(leg));
  const times = (legs: readonly JsonObject[], leg: JsonObject) =>
    legs.filter((one) => routeOf(one) === routeOf(leg)).length;
  // One element for each leg: none of another route, and none twice.
  const extra = shown.filter((leg) => states.every(({ legs }) => times(shown, leg) > times(legs, leg)));
  const mayMiss = isFiltered(call) || states.slice(1).some(({ legs }) => legs.length < latest.length);
  const missing = mayMiss ? [] : latest.filter((leg) => !has(shown, leg));
  const certain = missing.filter(({ status }) => !mayBeUnavailable(status));
  const what = { at: 'body', want: legsOf(latest), got: legsOf(shown) };
  if (extra.length > 0 || certain.length > 0) {
    const isOld = seen.flight.states.some(({ legs }) => isDeepStrictEqual(routesOf(legs), routesOf(shown)));
    return [suspect(seen, isOld ? 'FLA-GET-035' : latest.length > 1 ? 'FLA-GET-006' : 'FLA-GET-005', what)];
  }
  if (missing.length > 0) return [suspect(seen, 'FLA-GET-040', what)];
  if (shown.length === latest.length && states.length === 1) seen.show(...routeRules(latest));
  return [];
}

/** The sentences by which exactly these legs are shown. */
function routeRules(legs: readonly JsonObject[]): readonly string[] {
  const isUnavailable = legs.some(({ status }) => mayBeUnavailable(status));
  return [legs.length > 1 ? 'FLA-GET-006' : 'FLA-GET-005', ...(isUnavailable ? ['FLA-GET-040'] : [])];
}

/** What becomes of airport codes in a lookup is open (FLA-OPN-015). */
function isFiltered({ query }: Call): boolean {
  return Object.keys(query).length > 2;
}

function routesOf(legs: readonly JsonObject[]): readonly string[] {
  return legs.map(routeOf).toSorted();
}

/** What is shown of legs is what upstream has, or had a moment ago. */
function judgeValues(seen: Seen, shown: readonly JsonObject[]): readonly Suspect[] {
  return shown.flatMap((leg) => {
    const [latest, ...former] = seen.states.map(({ legs }) =>
      legs.filter((one) => routeOf(one) === routeOf(leg)),
    );
    const [given] = latest ?? [];
    if (!given || latest?.length !== 1 || former.some((legs) => legs.length !== 1)) return [];
    const past = seen.flight.states
      .slice(0, -1)
      .flatMap(({ legs }) => legs.filter((one) => routeOf(one) === routeOf(leg)));
    const isLatest = telling.some((path) => {
      const value = valueAt(leg, path);
      return (
        value != null && value === valueAt(given, path) && past.every((one) => valueAt(one, path) !== value)
      );
    });
    const kept = isLatest ? [] : former.flat();
    if (isLatest && past.length > 0) seen.show(seen.call.op === 'fla.lookup' ? 'FLA-GET-035' : 'FLA-SUB-040');
    if (former.length === 0 || isLatest) seen.show(...keptOf(leg, given));
    const faults = faultsOf(leg, given).filter(
      ({ path }) => !kept.some((one) => !faultsOf(leg, one).some((other) => other.path === path)),
    );
    const history = isLatest && seen.call.op === 'fla.lookup' ? historyIn(leg, given, past, telling) : null;
    return [
      ...oneOfEach(faults.map((fault) => valueSuspect(seen, leg, fault, past))),
      ...(history === null ? [] : [historySuspect(seen, history)]),
    ];
  });
}

function historySuspect(seen: Seen, former: string): Suspect {
  const what = { at: 'body', want: is.text('no history of the leg'), got: is.value(former, 'as before') };
  return suspect(seen, 'FLA-GET-030', what, 'change');
}

/** One suspect for each sentence. */
function oneOfEach(suspects: readonly Suspect[]): readonly Suspect[] {
  return suspects.filter(({ rule }, at) => suspects.findIndex((one) => one.rule === rule) === at);
}

function valueSuspect(seen: Seen, leg: JsonObject, fault: Fault, past: readonly JsonObject[]): Suspect {
  const { rule, path, want, got } = fault;
  const isStale = past.some(
    (one) =>
      faultsOf(leg, one).length === 0 ||
      (isFormer(path, one, got) && !isDeepStrictEqual(valueAt(one, path), want)),
  );
  const legs = shownLegs(seen.call.exchange);
  // A subscribe may show its leg without its codes.
  const { at = '' } = legs.find((one) => routeOf(one.leg) === routeOf(leg)) ?? legs[0] ?? {};
  const what = {
    at: `${at}.${path}`,
    want: is.value(want, `of ${routeOf(leg)}`),
    got: is.value(got),
  };
  // An empty list and none are the same: both say that there are none.
  if (!isStale || (isNone(want) && isNone(got))) return suspect(seen, rule, what);
  const old = seen.call.op === 'fla.lookup' ? 'FLA-GET-035' : 'FLA-SUB-040';
  return suspect(
    seen,
    old,
    what,
    seen.flight.states.at(-1)?.by.operation === 'flights.change' ? 'change' : 'put',
  );
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether what is shown is what upstream had before, or holds it. */
function isFormer(path: string, before: JsonObject, got: Json | undefined): boolean {
  const value = valueAt(before, path);
  if (value === null || value === undefined || value === '') return false;
  if (path !== 'alternateInfo' || !Array.isArray(value) || !Array.isArray(got))
    return isDeepStrictEqual(value, got);
  return (value as readonly Json[]).every((one) => got.some((other: Json) => isDeepStrictEqual(one, other)));
}

function legsOf(legs: readonly JsonObject[]): is.Value {
  return is.text(`the legs ${legs.map(routeOf).join(', ')}`);
}

/** A flight that upstream has is not found. */
function judgeNotFound(seen: Seen, latest: readonly JsonObject[]): readonly Suspect[] {
  const { call, flight, world } = seen;
  if (latest.every(({ status }) => mayBeUnavailable(status)) || world.mayBeBefore(flight, call)) return [];
  if (seen.states.length > 1 || isFiltered(call)) return [];
  const what = { at: 'answer', want: 'its legs', got: answerOf(call) };
  const rule = spellingRule(call, flight.name);
  if (rule !== null) return flight.isFound ? [suspect(seen, rule, what)] : [];
  if (call.status === 400) return [];
  return [suspect(seen, flight.wasAsked && !flight.isFound ? 'FLA-GET-035' : 'FLA-GET-001', what)];
}

/** Blank and zero values are no reason to fail. */
function judgeBroken(seen: Seen, latest: readonly JsonObject[]): readonly Suspect[] {
  const { call, flight } = seen;
  // What was shown with the same values fails for another reason.
  if (flight.isFound) return [];
  const isInvalid = call.status === 502 && codeOf(call) === 'INVALID_PROVIDER_DATA';
  if (call.status !== 500 && !isInvalid) return [];
  const isWhole = latest.every((leg) => typeof valueAt(leg, 'departure.scheduledTime') === 'string');
  const isBlank = latest.some((leg) => /"[\s0:-]*"|"utcOffsetSeconds":0\b/.test(JSON.stringify(leg)));
  const what = { at: 'answer', want: 'the legs, with blank values', got: answerOf(call) };
  return isWhole && isBlank ? [suspect(seen, 'FLA-SNP-021', what)] : [];
}

/** A flight that nobody made does not have the legs of one that was made. */
function judgeAlien(call: Call, name: string | null, world: Flights, show: Show): readonly Suspect[] {
  const shown = name === null ? [] : shownLegs(call.exchange).map(({ leg }) => leg);
  const number = name?.slice(0, name.indexOf(' '));
  if (call.status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND' && world.shows.put)
    show(
      call.op === 'fla.subscribe' ? 'FLA-SUB-023' : isOfNumber(number, world) ? 'FLA-GET-028' : 'FLA-GET-027',
    );
  if (shown.length === 0) return [];
  for (const other of world.all()) {
    const legs = other.states.flatMap((state) => state.legs);
    const isOther = (leg: JsonObject) =>
      legs.some((one) => routeOf(one) === routeOf(leg) && isSameLeg(leg, one));
    if (!shown.every(isOther)) continue;
    // It may have been made before anybody watched, with the same legs.
    if (!other.name.startsWith(number ?? '') && shown.every((leg) => leg.flightNumber === number)) continue;
    const looked = other.name.startsWith(`${number ?? ''} `) ? 'FLA-GET-028' : 'FLA-GET-027';
    const rule = call.op === 'fla.subscribe' ? 'FLA-SUB-023' : looked;
    const what = { at: 'body', want: `no leg of ${other.name}`, got: legsOf(shown) };
    return [{ ...suspect({ call, flight: other }, rule, what), flight: null }];
  }
  return [];
}

/** A leg that is not among those that a lookup has shown of its flight. */
function judgeUnlisted(call: Call, name: string | null, world: Flights, show: Show): readonly Suspect[] {
  const asked = requestedLeg(call.exchange);
  if (!asked || !world.isUnlisted(asked.name)) return judgeAlien(call, name, world, show);
  if (call.status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND') show('FLA-SUB-022');
  // One that is shown with its own airports may have come since.
  const isOther = shownLegs(call.exchange).every(
    ({ leg }) => routeOf(leg) !== `${asked.departure}-${asked.arrival}`,
  );
  if (call.status !== 200 || !isOther) return [];
  const what = { at: 'answer', want: is.refusal(404, 'FLIGHT_NOT_FOUND'), got: answerOf(call) };
  return [suspect({ call }, 'FLA-SUB-022', what, null)];
}

/** Whether a flight of this number was found on another date. */
function isOfNumber(number: string | undefined, world: Flights): boolean {
  for (const { name, isFound } of world.all())
    if (isFound && name.startsWith(`${number ?? ''} `)) return true;
  return false;
}

/** Whether everything that upstream has of a leg is shown; a leg that is mostly blank may be any. */
function isSameLeg(leg: JsonObject, given: JsonObject): boolean {
  const isInformative = ['departure.scheduledTime', 'arrival.scheduledTime', 'departure.gate'].every(
    (path) => typeof valueAt(given, path) === 'string',
  );
  return isInformative && faultsOf(leg, given).length === 0;
}

function judgeSubscribe(seen: Seen): readonly Suspect[] {
  const { call, flight, world, show } = seen;
  const asked = requestedLeg(call.exchange);
  if (!asked) return [];
  const route = `${asked.departure}-${asked.arrival}`;
  const matching = seen.states.map(({ legs }) => legs.filter((leg) => routeOf(leg) === route));
  const counts = new Set(matching.map(({ length }) => length));
  // Another number of legs may be known for a while.
  if (counts.size > 1 || world.mayBeBefore(flight, call)) return [];
  const [leg, second] = matching[0] ?? [];
  const got = answerOf(call);
  if (!leg) return judgeNoLeg(seen, got);
  if (second && call.status === 409 && codeOf(call) === 'AMBIGUOUS_FLIGHT') show('FLA-SUB-024');
  const isOtherwise = call.status === 409 || codeOf(call) === 'FLIGHT_NOT_FOUND';
  const isClear = isPolling(call) && !matching[0]?.some(({ status }) => mayBeUnavailable(status));
  if (second)
    return call.status === 200 || (isOtherwise && isClear && codeOf(call) !== 'AMBIGUOUS_FLIGHT')
      ? [suspect(seen, 'FLA-SUB-024', { at: 'answer', want: is.refusal(409, 'AMBIGUOUS_FLIGHT'), got })]
      : [];
  if (call.status === 404) return judgeLegNotFound(seen, leg, got);
  if (call.status === 502 && codeOf(call) === 'SUBSCRIPTION_FAILED' && hasRecovered(call, world))
    return [
      suspect(seen, 'FLA-SUB-026', { at: 'answer', want: is.answer(200, 'as upstream works again'), got }),
    ];
  const shown = shownLegs(call.exchange).map((one) => one.leg);
  const isOther = shown.some((one) => routeOf(one) !== route && !/^-|-$/.test(routeOf(one)));
  if (call.status !== 200 || isOther) return [];
  if (world.hasFailed(asked.name)) show('FLA-SUB-026');
  const named = shown.map((one) => withEnds(one, leg));
  noteFound(seen, named);
  if (typeof leg.status === 'string' && /^cancel/i.test(leg.status)) show('FLA-SUB-041');
  return judgeValues(seen, named);
}

function isPolling({ body }: Call): boolean {
  return (body?.callbackData ?? null) === null;
}

/** A subscribe shows the leg that was selected, also without its codes. */
function withEnds(shown: JsonObject, given: JsonObject): JsonObject {
  const end = (name: 'departure' | 'arrival') => {
    const [of, known] = [shown[name], given[name]];
    return isObject(of) && isObject(known)
      ? { [name]: { ...of, airportIata: of.airportIata ?? known.airportIata ?? null } }
      : {};
  };
  return { ...shown, ...end('departure'), ...end('arrival') };
}

/** The flight has no such leg. */
function judgeNoLeg(seen: Seen, got: is.Value): readonly Suspect[] {
  const { call } = seen;
  const what = { at: 'answer', want: is.refusal(404, 'FLIGHT_NOT_FOUND'), got };
  if (call.status === 200) return [suspect(seen, 'FLA-SUB-022', what)];
  if (call.status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND' && seen.flight.isFound)
    seen.show('FLA-SUB-022');
  if (call.status !== 404 || codeOf(call) === 'FLIGHT_NOT_FOUND') return [];
  return [suspect(seen, 'FLA-SUB-022', what, 'code')];
}

function judgeLegNotFound(seen: Seen, leg: JsonObject, got: is.Value): readonly Suspect[] {
  const { call, flight } = seen;
  // A partner or a status may be missing, and whether a leg that has departed can be subscribed is open.
  if (codeOf(call) !== 'FLIGHT_NOT_FOUND') return [];
  const what = { at: 'answer', want: 'the leg', got };
  const isCancelled = typeof leg.status === 'string' && /^cancel/i.test(leg.status);
  if (isCancelled) return [suspect(seen, 'FLA-SUB-041', what)];
  if (mayBeUnavailable(leg.status)) return [];
  const rule = spellingRule(call, flight.name);
  if (rule !== null) return flight.isFound ? [suspect(seen, rule, what)] : [];
  const isNew = flight.states.some(({ legs }) => !legs.some((one) => routeOf(one) === routeOf(leg)));
  const isKept = isNew || (flight.wasAsked && !flight.isFound);
  return [suspect(seen, isKept ? 'FLA-SUB-040' : 'FLA-SUB-001', what)];
}
