import type { Exchange } from '../core/evidence.ts';
import type { Settings } from '../core/settings.ts';
import { renderFlightSubscription, type FlightLeg } from '../generate/flightAlerts/flightSubscription.ts';
import type { Identities } from '../generate/kit/identity.ts';
import type { JsonObject } from '../spec/kit/json.ts';
import { utcDate } from '../spec/kit/localTime.ts';
import { journey, upstreamLeg, type Route } from '../generate/flightAlerts/upstreamLeg.ts';
import { describeResponse } from '../judge/kernel/answer.ts';
import { isObject, responseOf } from '../judge/kernel/body.ts';
import { cleanFlightNumber, shownLegs } from '../spec/world/legs.ts';
import { familiarFlights } from '../plan/familiarFlights.ts';
import { flightSubscribe, lookup, type ApiRequest, type KeyChoice } from '../send/request.ts';
import type { StateHandler } from '../target/stateHandler.ts';
import { SharedFixture } from './sharedFixture.ts';
import type { SharedKeys } from './sharedKeys.ts';
import { isDisturbance } from './health/signs.ts';
import { CaseUnclear, CheckSkipped } from './signals.ts';

/** How a flight is known: made for this run, named in the config, or found by trying. */
type FlightSource = 'state' | 'config' | 'found';

/** A flight that the deployment should know. */
interface NamedFlight {
  readonly flightNumber: string;
  readonly departureDate: string;
  /** Its legs, as far as they are known in advance. */
  readonly routes: readonly Route[];
  readonly source: FlightSource;
}

/** A leg that the target serves. */
export interface KnownLeg extends FlightLeg {
  /** The lookup that showed it. */
  readonly seen: Exchange;
  readonly source: FlightSource;
}

/** A leg, and the answer to the first subscribe of it in this run. */
export interface FlightSubscription {
  readonly leg: KnownLeg;
  /** What was sent; it is sent again with the same key, since a subscription may belong to the key. */
  readonly body: JsonObject;
  readonly key: KeyChoice;
  readonly subscribed: Exchange;
}

export interface FlightFixtures {
  /** A flight made by the state handler or named in the config; null if the deployment's flights must be found. */
  namedFlight(): Promise<NamedFlight | null>;
  /** A leg that the deployment serves; the check is skipped if none is named and none is found. */
  knownLeg(): Promise<KnownLeg>;
  /** The known leg, subscribed without a callback. Nothing in the run adds one. */
  pollingSubscription(): Promise<FlightSubscription>;
  /** Another leg, subscribed with a callback. */
  callbackSubscription(): Promise<FlightSubscription>;
}

export interface FlightFixtureOptions {
  readonly settings: Settings;
  readonly identities: Identities;
  readonly state: StateHandler;
  readonly keys: SharedKeys;
  readonly now: () => number;
  readonly send: (request: ApiRequest, purpose: string) => Promise<Exchange>;
  /** Legs that may have a callback whose key nobody received, because the run was cut short; in the ledger's notation. */
  readonly inDoubt?: readonly string[] | undefined;
}

/** Makes the fixtures for a check with this many requests, shared by all checks as long as their keys have room. */
export function createFlightFixtures(options: FlightFixtureOptions): (requests: number) => FlightFixtures {
  // A check may have moved the clock past a date.
  const isAhead = (date: string) => date >= utcDate(options.now(), 1);
  const namedFlight = new SharedFixture(() => nameFlight(options), {
    isGood: (flight) => flight?.source !== 'state' || isAhead(flight.departureDate),
  });
  const isServed = ({ departureDate, source }: KnownLeg) => isAhead(departureDate) || source === 'config';
  const knownLeg = new SharedFixture(async () => findLeg(options, await namedFlight.get()), {
    isGood: isServed,
  });
  const subscription = (subscribe: (known: KnownLeg) => Promise<FlightSubscription>) =>
    new SharedFixture(async () => subscribe(await knownLeg.get()), {
      isGood: (one) => isServed(one.leg),
      isTired: ({ subscribed }, requests) => options.keys.isTired(subscribed, requests),
    });
  const polling = subscription((known) => subscribePolling(options, known));
  const withCallback = subscription((known) => subscribeAnotherLeg(options, known));
  return (requests) => ({
    namedFlight: namedFlight.forCheck(requests),
    knownLeg: knownLeg.forCheck(requests),
    pollingSubscription: polling.forCheck(requests),
    callbackSubscription: withCallback.forCheck(requests),
  });
}

/** A name that does not exist; a sink that deliveries are routed to accepts it as its own. */
const unresolvedAddress = 'https://gatecheck-sink.example.com';

/**
 * A callback for a leg, the same in every run: what an earlier run registered on a leg cannot be undone, so it is simply
 * registered again.
 */
function callbackFor(leg: FlightLeg, address = unresolvedAddress): JsonObject {
  const name = `${leg.flightNumber}-${leg.departureDate}-${leg.departure}-${leg.arrival}`;
  return { fid: `00gatecheck-${name}`, callbackUrl: `${address}/gatecheck/${name}?from=gatecheck` };
}

/** Gives the upstream source exactly these legs of a new flight; each is a route with its special properties. */
export async function putFlight(
  options: Pick<FlightFixtureOptions, 'state' | 'identities' | 'now'>,
  render: (flight: { flightNumber: string; departureDate: string }) => readonly JsonObject[],
  given: { readonly flightNumber?: string; readonly departureDate?: string } = {},
): Promise<{ readonly flightNumber: string; readonly departureDate: string }> {
  const flightNumber = given.flightNumber ?? options.identities.flightNumber();
  // Far enough ahead for checks that move the clock, with a different date for each number.
  const ahead = 30 + (Number(/\d+$/.exec(flightNumber)?.[0] ?? 0) % 60);
  const flight = { flightNumber, departureDate: given.departureDate ?? utcDate(options.now(), ahead) };
  await options.state.set('flights.put', { ...flight, legs: render(flight) });
  return flight;
}

async function nameFlight(options: FlightFixtureOptions): Promise<NamedFlight | null> {
  if (options.state.offers('flights.put')) return putJourney(options);
  const today = utcDate(options.now());
  return configuredFlights(options).find(({ departureDate }) => departureDate >= today) ?? null;
}

/** A flight of three legs: shows whether a deployment takes the wrong one. */
async function putJourney(options: FlightFixtureOptions): Promise<NamedFlight> {
  const flight = await putFlight(options, (named) =>
    journey.map(([departure, arrival]) => upstreamLeg({ ...named, departure, arrival })),
  );
  return { ...flight, routes: journey, source: 'state' };
}

function configuredFlights({ settings, now }: FlightFixtureOptions): readonly NamedFlight[] {
  return settings.flights.map(({ flightNumber, departureDate, legs }) => ({
    flightNumber,
    departureDate: typeof departureDate === 'number' ? utcDate(now(), departureDate) : departureDate,
    routes: legs.map(({ departure, arrival }) => [departure, arrival] as const),
    source: 'config',
  }));
}

async function findLeg(options: FlightFixtureOptions, named: NamedFlight | null): Promise<KnownLeg> {
  if (named?.source === 'state') return firstServed(options, [named], 1);
  if (named?.source === 'config') return firstServed(options, configuredFlights(options));
  const departureDate = utcDate(options.now(), 1);
  return firstServed(
    options,
    familiarFlights.map((flightNumber) => ({ flightNumber, departureDate, routes: [], source: 'found' })),
  );
}

/**
 * A callback for another leg, so that the known one stays without. Where the leg has another callback already, of an earlier
 * run or another check, or whether it has one is unknown since no answer came, a further leg is tried once.
 */
async function subscribeAnotherLeg(
  options: FlightFixtureOptions,
  known: KnownLeg,
): Promise<FlightSubscription> {
  if (known.source === 'state') {
    const anew = async () =>
      subscribeWithCallback(options, await firstServed(options, [await putJourney(options)], 1));
    const first = await anew();
    return isDisturbance(first.subscribed) ? anew() : first;
  }
  const flights = otherFlights(options, known);
  const first = await subscribeWithCallback(options, await firstServed(options, flights));
  const left = flights.filter((flight) => !isOf(first.leg, flight));
  const isSure = responseOf(first.subscribed)?.status !== 409 && !isDisturbance(first.subscribed);
  if (isSure || left.length === 0) return first;
  return subscribeWithCallback(options, await firstServed(options, left));
}

/** Of another number, or the same flight a day or two later. */
function otherFlights(options: FlightFixtureOptions, known: KnownLeg): readonly NamedFlight[] {
  const later = [1, 2, ...(options.inDoubt?.length ? [3] : [])].map((days): NamedFlight => {
    const departureDate = utcDate(Date.parse(known.departureDate), days);
    return { flightNumber: known.flightNumber, departureDate, routes: [], source: 'found' };
  });
  const others = configuredFlights(options).filter((flight) => !isOf(known, flight));
  const certain = [...others, ...later].filter((flight) => !isInDoubt(flight, options.inDoubt ?? []));
  return certain.length > 0 ? certain : later;
}

/** Checks need to see the first registration of a callback: if it was lost, they use another day of the flight. */
function isInDoubt({ flightNumber, departureDate }: NamedFlight, legs: readonly string[]): boolean {
  const parts = [cleanFlightNumber(flightNumber), departureDate];
  return legs.some((leg) => parts.every((part) => leg.split(' ').includes(part)));
}

function isOf(leg: KnownLeg, flight: NamedFlight): boolean {
  return leg.flightNumber === flight.flightNumber && leg.departureDate === flight.departureDate;
}

/** The first of these flights for which a lookup shows a leg that can be named; unclear if there is none. */
async function firstServed(
  { send }: FlightFixtureOptions,
  flights: readonly NamedFlight[],
  preferred = 0,
): Promise<KnownLeg> {
  const answers: string[] = [];
  const statuses = new Set<number | undefined>();
  let unavailable = 0;
  for (const { flightNumber, departureDate, source, routes } of flights) {
    const seen = await send(lookup({ flightNumber, departureDate }), 'known-flight');
    const [wanted] = routes.slice(preferred);
    const shown = routesOf(seen);
    const route = shown.find((one) => wanted?.[0] === one[0] && wanted[1] === one[1]) ?? shown[0];
    const status = responseOf(seen)?.status;
    // Where lookups fail altogether, legs that are known otherwise can still be subscribed to.
    const known = status === 404 || status === 400 ? null : (wanted ?? routes[0]);
    const [departure, arrival] = route ?? known ?? [];
    if (departure !== undefined && arrival !== undefined)
      return { flightNumber, departureDate, departure, arrival, seen, source };
    answers.push(`${flightNumber} on ${departureDate}: ${describeResponse(seen)}`);
    statuses.add(status);
    unavailable += status === 502 ? 1 : 0;
    // The upstream source is down, or refuses this partner: more flights would only cost more requests.
    if (unavailable === 2) break;
  }
  const reason = `no known flight was found (${answers.join('; ')}): name one that the target serves as flights in the config`;
  // If the deployment knows none of the guessed flights, there is nothing to check.
  const isUnknown = flights.every(({ source }) => source === 'found') && isSubset(statuses, [200, 404]);
  throw isUnknown ? new CheckSkipped(reason) : new CaseUnclear(reason);
}

function isSubset<T>(values: ReadonlySet<T>, of: readonly T[]): boolean {
  return [...values].every((value) => of.includes(value));
}

/** Routes that a subscribe can name: three letters each, and no other leg with the same two. */
function routesOf(seen: Exchange): readonly Route[] {
  const routes = shownLegs(seen).flatMap(({ leg }): Route[] => {
    const [departure, arrival] = [leg.departure, leg.arrival].map((end) =>
      isObject(end) && typeof end.airportIata === 'string' ? end.airportIata.trim().toUpperCase() : '',
    );
    const isRoute = [departure, arrival].every((code) => /^[A-Z]{3}$/.test(code ?? ''));
    return isRoute ? [[departure ?? '', arrival ?? '']] : [];
  });
  const count = (route: Route) => routes.filter((one) => one.join() === route.join()).length;
  return routes.filter((route) => count(route) === 1);
}

async function subscribePolling(options: FlightFixtureOptions, leg: KnownLeg): Promise<FlightSubscription> {
  const body = renderFlightSubscription(leg, 'absent');
  const key = options.keys.forSubscription();
  const send = () => options.send(flightSubscribe(body, { key }), 'polling-subscription');
  const first = await send();
  // An identical retry keeps the subscription.
  return { leg, body, key, subscribed: isDisturbance(first) ? await send() : first };
}

/**
 * Addresses for callbacks that are ignored, in the order of trying: below the sink's own if it has a public one, since
 * deliveries accepted there leave nothing pending; else a name that does not resolve, which a deployment that resolves names may
 * refuse, and then one that does.
 */
function callbackAddresses({ settings }: FlightFixtureOptions): readonly string[] {
  const { publicUrl } = settings.sink;
  const own = publicUrl?.startsWith('https:') === true ? [publicUrl.replace(/\/$/, '')] : [];
  return [...own, unresolvedAddress, 'https://example.com'];
}

async function subscribeWithCallback(
  options: FlightFixtureOptions,
  leg: KnownLeg,
): Promise<FlightSubscription> {
  const key = options.keys.forSubscription();
  const send = async (address: string): Promise<FlightSubscription> => {
    const body = renderFlightSubscription(leg, callbackFor(leg, address));
    const subscribed = await options.send(flightSubscribe(body, { key }), 'callback-subscription');
    return { leg, body, key, subscribed };
  };
  const [first = unresolvedAddress, ...others] = callbackAddresses(options);
  let subscription = await send(first);
  for (const address of others) {
    if (!isOfAddress(subscription)) break;
    subscription = await send(address);
  }
  return subscription;
}

/** Whether an answer is about the address: not allowed, or different from the one that an earlier run registered. */
function isOfAddress({ leg, subscribed }: FlightSubscription): boolean {
  const status = responseOf(subscribed)?.status;
  return status === 400 || (status === 409 && leg.source !== 'state');
}
