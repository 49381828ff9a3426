import {
  type CallbackAddress,
  type CheckContext,
  type Delivery,
  type Exchange,
  type FlightLeg,
  type FlightNotice,
  type JsonObject,
  type JsonValue,
  type Judgement,
  type KeyChoice,
  type LegChanges,
  type Script,
  describeResponse,
  holds,
  isAccepted,
  noneDue,
  noticesOf,
  toldAt,
  differs,
  is,
} from '../checks.ts';
import { subscribeTo } from './flights.ts';

/** A leg that is subscribed with a callback which the sink receives. */
export interface Subscriber {
  readonly leg: FlightLeg;
  readonly address: CallbackAddress;
  readonly callback: { readonly fid: string; readonly callbackUrl: string };
  readonly key: KeyChoice | undefined;
  readonly subscribed: Exchange;
}

interface SubscriberOptions {
  /** An address to use instead of a new one. */
  readonly address?: CallbackAddress;
  /** What follows the address of the mailbox. */
  readonly below?: string;
  readonly fid?: string;
  readonly key?: KeyChoice;
  readonly script?: Script;
  /** Members that callbackData has besides. */
  readonly more?: JsonObject;
}

/** Subscribes to a leg with a callback; ends the case if that is refused. */
export async function subscriber(
  t: CheckContext,
  leg: FlightLeg,
  options: SubscriberOptions = {},
): Promise<Subscriber> {
  const { below = '/changes?from=gatecheck', fid = t.identities.fid(), key, script, more = {} } = options;
  const address = options.address ?? t.callbacks.open('flight-alerts', script);
  const callback = { fid, callbackUrl: `${address.url}${below}` };
  const subscribed = await subscribeTo(t, leg, { ...callback, ...more }, key);
  t.assume(
    isAccepted(subscribed),
    `${subscribed.id}: no callback was registered, ${describeResponse(subscribed)}`,
  );
  await quiet(t);
  return { leg, address, callback, key, subscribed };
}

/** Waits for what is on its way, if the deployment reports it; does not wait for a retry that another check waits for. */
export async function quiet(t: CheckContext): Promise<void> {
  if (t.callbacks.tellsPending) await t.callbacks.settle({ patienceMs: 250, besideRepetitions: true });
}

/** Waits until nothing more can come, as long as retries of other checks may take; resolves to whether that is certain. */
export async function isSettled(t: CheckContext): Promise<boolean> {
  const options = t.callbacks.tellsPending ? { patienceMs: 8_000 } : {};
  return (await t.callbacks.settle(options)) === 'nothing-pending';
}

/** Makes the upstream source report changes of a leg. */
export async function changeLeg(t: CheckContext, leg: FlightLeg, changes: LegChanges): Promise<void> {
  await t.state.set('flights.change', {
    flightNumber: leg.flightNumber,
    departureDate: leg.departureDate,
    departureAirportIata: leg.departure,
    arrivalAirportIata: leg.arrival,
    changes: changes,
  });
}

/** A gate that no other change of the run has. */
export function newGate(t: CheckContext): string {
  return `G${t.identities.token().slice(-4)}`;
}

/** Whether a notification says that a departure has this gate now. */
export function tellsGate(gate: JsonValue): (notice: FlightNotice) => boolean {
  return ({ changes }) => toldAt(changes, 'departure.gate') === gate;
}

/** How many deliveries an address has; later ones follow these. */
export function countOf({ address }: Pick<Subscriber, 'address'>): number {
  return address.mailbox.deliveries.length;
}

export function deliveriesSince(
  { address }: Pick<Subscriber, 'address'>,
  count: number,
): readonly Delivery[] {
  return address.mailbox.deliveries.slice(count);
}

export function noticesSince(
  subscriber: Pick<Subscriber, 'address'>,
  count: number,
): readonly FlightNotice[] {
  return noticesOf(deliveriesSince(subscriber, count));
}

/**
 * Waits until deliveries are enough, or no more can come. A slow deployment is not a broken one: if more may come after all
 * patience, a later notified change bounds how slow it may be, and without that the case ends undecided.
 */
export async function awaitNotices(
  t: CheckContext,
  subscriber: Pick<Subscriber, 'address' | 'leg'>,
  isEnough: (deliveries: readonly Delivery[]) => boolean,
): Promise<void> {
  const waited = await t.callbacks.wait(subscriber.address, isEnough);
  if (waited === 'patience') await control(t, subscriber);
}

/** Changes the gate once more, and ends the case undecided if not even that is notified. */
export async function control(
  t: CheckContext,
  subscriber: Pick<Subscriber, 'address' | 'leg'>,
): Promise<void> {
  const gate = newGate(t);
  const count = countOf(subscriber);
  await changeLeg(t, subscriber.leg, { departure: { gate } });
  const isTold = (deliveries: readonly Delivery[]) =>
    noticesOf(deliveries.slice(count)).some(tellsGate(gate));
  const waited = await t.callbacks.wait(subscriber.address, isTold);
  t.assume(
    waited === 'come',
    `a control change (gate ${gate}) was not notified either, within the time that Gatecheck waits`,
  );
}

/** The result of one change of the gate. */
interface ToldGate {
  readonly gate: string;
  /** All that came since the change. */
  readonly deliveries: readonly Delivery[];
  readonly isTold: Judgement;
}

/** Changes the gate of a leg and waits until its subscriber is notified. What comes instead is judged by other rules. */
export async function tellGate(t: CheckContext, subscriber: Subscriber): Promise<ToldGate> {
  const gate = newGate(t);
  const count = countOf(subscriber);
  await changeLeg(t, subscriber.leg, { departure: { gate } });
  await awaitNotices(t, subscriber, (all) => noticesOf(all.slice(count)).some(tellsGate(gate)));
  const deliveries = deliveriesSince(subscriber, count);
  const isTold = deliveries.length > 0 ? holds : untold(gate);
  return { gate, deliveries, isTold };
}

/** Whether deliveries that should not exist do not: `what` says whose they are. */
export function silent(deliveries: readonly Delivery[], what: string): Judgement {
  const [first] = deliveries;
  if (!first) return holds;
  const got = is.telling(noticesOf([first])[0]?.changes ?? {});
  return noneDue('told', `of ${what}`, got, [first]);
}

/** No notification tells a gate that was changed. */
function untold(gate: string): Judgement {
  return differs('silence', 'callback', is.telling({ 'departure.gate': gate }), is.absent);
}

/** The values of Authorization that deliveries carry, each once, by the text of the header. */
export function authorizationsOf(deliveries: readonly Delivery[]): readonly string[] {
  const values = deliveries.map(({ headers }) =>
    headers
      .filter(([name]) => name.toLowerCase() === 'authorization')
      .map(([, value]) => value)
      .join(),
  );
  return [...new Set(values)];
}
