import {
  type CheckContext,
  type Exchange,
  type FlightLeg,
  type FlightSubscription,
  type JsonObject,
  type KeyChoice,
  type LegChanges,
  type RequestOptions,
  type Route,
  dayMs,
  describeResponse,
  flightSubscribe,
  generate,
  isAccepted,
  isJsonObject,
  keyOf,
  lookup,
  minuteMs,
  primaryKey,
  putFlight,
  responseOf,
  sameLegs,
  utcDate,
} from '../checks.ts';

export interface Flight {
  readonly flightNumber: string;
  readonly departureDate: string;
}

/** A leg for the upstream source: its route, and its special properties. */
export interface LegToPut {
  readonly route: Route;
  readonly changes?: LegChanges;
  /** Hour of departure; by default 9. */
  readonly hour?: number;
}

/** Gives the upstream source exactly these legs of a new flight. */
export function put(
  t: CheckContext,
  legs: readonly LegToPut[],
  given: Partial<Flight> = {},
): Promise<Flight> {
  const options = { state: t.state, identities: t.identities, now: () => t.now() };
  return putFlight(options, (flight) => legs.map((leg) => rendered(flight, leg)), given);
}

/** The snapshot that was put for a leg. */
export function rendered(
  flight: Flight,
  { route: [departure, arrival], changes, hour }: LegToPut,
): JsonObject {
  return generate.upstreamLeg({ ...flight, departure, arrival }, changes, hour);
}

export function lookUp(
  t: CheckContext,
  { flightNumber, departureDate }: Flight,
  options?: RequestOptions,
): Promise<Exchange> {
  return t.send(lookup({ flightNumber, departureDate }, options));
}

export function legOn(flight: Flight, [departure, arrival]: Route): FlightLeg {
  const { flightNumber, departureDate } = flight;
  return { flightNumber, departureDate, departure, arrival };
}

/** Subscribes to a leg that belongs to this check, with one key, since subscriptions may belong to it (FLA-OPN-008). */
export function subscribeTo(
  t: CheckContext,
  leg: FlightLeg,
  callbackData: JsonObject | null | 'absent' = 'absent',
  key: KeyChoice = ownKey(t),
): Promise<Exchange> {
  return sendSubscribe(t, generate.renderFlightSubscription(leg, callbackData), key);
}

/** One key for all subscriptions of a check; other checks use others, which spreads the requests. */
function ownKey({ keys }: CheckContext): KeyChoice {
  return keys.lead === null ? primaryKey : { kind: 'key', key: keys.lead };
}

/** Sends a subscribe; for a leg that checks share, with the key that subscribed it. */
export function sendSubscribe(t: CheckContext, body: JsonObject, key: KeyChoice): Promise<Exchange> {
  return t.send(flightSubscribe(body, { key }));
}

/** The shared subscription with a callback; unclear if registering callbacks does not work at all. */
export async function callbackSubscription(t: CheckContext): Promise<FlightSubscription> {
  const subscription = await acceptedCallback(t);
  const { leg, subscribed } = subscription;
  t.assume(
    leg.source !== 'state' || keyOf(subscribed) !== null,
    `${subscribed.id}: no callback key was returned`,
  );
  return subscription;
}

async function acceptedCallback(t: CheckContext): Promise<FlightSubscription> {
  const subscription = await t.fixtures.callbackSubscription();
  const { subscribed } = subscription;
  const refusal = describeResponse(subscribed);
  t.assume(
    responseOf(subscribed)?.status !== 400,
    `${subscribed.id}: ${refusal} for each callback address that was tried; names that do not resolve may be refused`,
  );
  t.assume(isAccepted(subscribed), `${subscribed.id}: no callback could be registered, ${refusal}`);
  return subscription;
}

export async function pollingSubscription(t: CheckContext): Promise<FlightSubscription> {
  const subscription = await t.fixtures.pollingSubscription();
  const { subscribed } = subscription;
  t.assume(isAccepted(subscribed), `${subscribed.id}: no subscription, ${describeResponse(subscribed)}`);
  return subscription;
}

/** A base address for callbacks: one that the deployment accepted, below which the sink accepts deliveries. */
export async function callbackBase(t: CheckContext): Promise<string> {
  const { body } = await acceptedCallback(t);
  const { callbackUrl } = callbackOf(body);
  return callbackUrl.slice(0, callbackUrl.indexOf('/gatecheck/') + '/gatecheck'.length);
}

/** Makes callbacks with their own fid and address, at a host that the deployment is known to accept. */
export async function callbackMaker(t: CheckContext): Promise<() => { fid: string; callbackUrl: string }> {
  const base = await callbackBase(t);
  return () => ({
    fid: t.identities.fid(),
    callbackUrl: `${base}/${t.identities.token()}?from=gatecheck`,
  });
}

/** The callbackData of a subscribe that has one. */
export function callbackOf(body: JsonObject): { readonly fid: string; readonly callbackUrl: string } {
  const { callbackData } = body;
  const { fid, callbackUrl } = isJsonObject(callbackData) ? callbackData : {};
  if (typeof fid === 'string' && typeof callbackUrl === 'string') return { fid, callbackUrl };
  throw new Error('the body of a subscription with a callback has none');
}

/** Real flights change: where another answer differs, whether they have is shown by the plain lookup again. */
export async function lookAgainIfOther(
  t: CheckContext,
  other: Exchange,
  { seen, ...flight }: Flight & { readonly seen: Exchange },
): Promise<void> {
  if (sameLegs(other, seen).status !== 'holds') await lookUp(t, flight);
}

/** A flight to look up if it does not matter whether it is known: the named one, or one that does not exist. */
export async function anyFlight(t: CheckContext): Promise<Flight> {
  const named = await t.fixtures.namedFlight();
  return named ?? { flightNumber: unknownFlight(t), departureDate: utcDate(t.now(), 1) };
}

/** A flight number that does not exist: no airline has ZZ. */
export function unknownFlight(t: CheckContext): string {
  return t.unknown.flightNumber(t.identities.flightNumber());
}

/** If the deployment's clock is known, no run has to wait for minutes. */
const sureGuardMs = 5_000;

/** Waits until the deployment's clock is minutes away from midnight UTC, so that a date means one day to both. */
export async function awayFromMidnight(t: CheckContext, minutes = 3): Promise<void> {
  const guard = t.isClockSure() ? sureGuardMs : minutes * minuteMs;
  const sinceMidnight = t.now() % dayMs;
  if (sinceMidnight < guard) await t.sleep(guard - sinceMidnight);
  else if (sinceMidnight > dayMs - guard) await t.sleep(dayMs - sinceMidnight + guard);
}
