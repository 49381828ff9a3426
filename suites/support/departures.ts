import {
  type CheckContext,
  type DateTimeForm,
  type Itinerary,
  type JsonObject,
  generate,
  hourMs,
  instantsOf,
  localDateTime,
  minuteMs,
  objectsAt,
  offsetAt,
  memberOf,
  subscribe,
  textAt,
  type Exchange,
  dayMs,
} from '../checks.ts';
import { earliestNow } from './clocks.ts';

/** The lead time that the documents demand of a first departure. */
export const leadTimeMs = 6 * hourMs;
/** Too near by any reading of the origin's clock that is off by less than five hours. */
export const tooNearMs = 30 * minuteMs;
/** Clocks may be off by minutes: no lead time is tried nearer to six hours than this, */
export const marginMs = 20 * minuteMs;
/** unless two sources agree to within seconds. Departures are in whole minutes, and a deployment may calculate in those. */
export const sureMarginMs = 2 * minuteMs;

/** The plain complete booking whose first departure is this far ahead, with its own locator. */
export function bookingAhead(
  t: CheckContext,
  itinerary: Itinerary,
  leadMs: number,
  departure: Partial<DateTimeForm> = {},
): JsonObject {
  const now = leadMs < leadTimeMs ? earliestNow(t) : t.now();
  return bookingFrom(t, itinerary, { now, leadMs }, departure);
}

function bookingFrom(
  t: CheckContext,
  itinerary: Itinerary,
  { now, leadMs }: { readonly now: number; readonly leadMs: number },
  departure: Partial<DateTimeForm> = {},
): JsonObject {
  const target = { itinerary, now, pnr: t.identities.pnr(), departure: now + leadMs };
  const passengers = objectsAt(generate.simpleBooking(target), 'passengers');
  const forms = [{ departure: { ...generate.preferredForm, ...departure }, arrival: generate.preferredForm }];
  const draft = { passengers, daysAhead: 14, minuteOfDay: 0, connectionMinutes: 180, forms };
  return generate.renderBooking({ ...draft, callbackData: 'absent' }, target);
}

/** Where the deployment may have one of several clocks: a departure that is far enough by the earliest alone shows which lead times go by. */
export async function askWhichClock(t: CheckContext, itinerary: Itinerary): Promise<void> {
  if (t.now() - earliestNow(t) < 3 * marginMs) return;
  await t.send(subscribe(bookingFrom(t, itinerary, { now: earliestNow(t), leadMs: leadTimeMs + marginMs })));
}

/** A booking of two passengers on two legs, where such an itinerary is accepted. */
export async function severalOf(t: CheckContext): Promise<JsonObject> {
  const plain = await t.fixtures.itinerary('international');
  const itinerary = await t.fixtures.itinerary('twoLeg').catch(() => plain);
  const body = bookingAhead(t, itinerary, 10 * dayMs);
  const [first = {}] = objectsAt(body, 'passengers');
  return { ...body, passengers: [first, generate.companionOf(first)] };
}

/** A flight time within `days` that few other bookings have: two bookings without a pnr may count as one. */
export async function bookingOfItsOwn(t: CheckContext, days = 5): Promise<JsonObject> {
  const token = Array.from(t.identities.token(), (character) => character.charCodeAt(0));
  const minutes = token.reduce((sum, code) => (sum * 31 + code) % (days * 24 * 60), 7);
  return bookingAhead(t, await t.fixtures.itinerary('international'), 8.5 * dayMs + minutes * minuteMs);
}

/**
 * A subscribe without a valid pnr that is not taken for an earlier one, with up to four attempts: to some deployments, flights
 * on the same day are then the same booking, so later attempts use more days.
 */
export async function subscribeUnlike(
  t: CheckContext,
  change: (body: JsonObject) => JsonObject,
): Promise<{ body: JsonObject; answer: Exchange }> {
  for (let left = 3; ; left -= 1) {
    const body = change(await bookingOfItsOwn(t, left === 3 ? 5 : 45));
    const answer = await t.send(subscribe(body));
    if (left === 0 || memberOf(answer, 'message') !== 'ALREADY_SUBSCRIBED') return { body, answer };
  }
}

/** Whether the origin's clock shows that departure only once: not in an hour that is skipped or repeated. */
export function isUnambiguous(t: CheckContext, itinerary: Itinerary, leadMs: number): boolean {
  const zone = originZone(itinerary);
  return instantsOf(localDateTime(t.now() + leadMs, zone), zone).length === 1;
}

/** How many milliseconds the origin's clock is ahead of UTC at that departure. */
export function originOffset(t: CheckContext, itinerary: Itinerary, leadMs: number): number {
  return offsetAt(t.now() + leadMs, originZone(itinerary));
}

/** With the length of airline code that the deployment takes. */
export function spelledLike({ airline }: Itinerary, itinerary: Itinerary): Itinerary {
  return generate.withAirlineForm(itinerary, airline.length === 3 ? 'icao' : 'iata');
}

function originZone(itinerary: Itinerary): string {
  return generate.zoneOf(itinerary.legs[0]?.origin ?? '');
}

/** The first departure of a booking in words: its clock as it was sent, and how far ahead it is. */
export function departureText(t: CheckContext, body: JsonObject): string {
  const [flight = {}] = objectsAt(body, 'flights');
  const [clock, origin] = [textAt(flight, 'departure_datetime'), textAt(flight, 'origin')];
  const [instant] = instantsOf(generate.parseLocal(clock), generate.zoneOf(origin));
  if (instant === undefined) return `a departure at ${clock} from ${origin}`;
  const minutes = Math.round((instant - t.now()) / minuteMs);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const ahead = `${hours} h ${rest} min ${minutes < 0 ? 'ago' : 'ahead'}`;
  return `a departure at ${JSON.stringify(clock)} from ${origin}, which is ${ahead}`;
}
