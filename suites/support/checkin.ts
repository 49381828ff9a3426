import {
  type AnswerObject,
  type CheckContext,
  type Corruption,
  type Exchange,
  type JsonObject,
  type JsonValue,
  type Judgement,
  type KeyChoice,
  type OwnRecord,
  accepted,
  answered,
  clockSlackMs,
  deriveSeed,
  fc,
  holds,
  invalid,
  isJsonObject,
  isObject,
  lacksSomething,
  memberOf,
  objectOf,
  objectsAt,
  readInstant,
  status,
  unclear,
  update,
  updatedRecord,
  without,
  withoutPassports,
  differs,
  is,
} from '../checks.ts';
import { sameKey } from './keys.ts';

/** One value of an arbitrary, another one in each run, the same when a case is repeated. */
export function pick<T>(t: CheckContext, name: string, arbitrary: fc.Arbitrary<T>): T {
  const [value] = fc.sample(arbitrary, { seed: deriveSeed(t.settings.seed, name), numRuns: 1 });
  if (value === undefined) throw new Error(`nothing was generated for ${name}`);
  return value;
}

/** The flights of a journey of two legs with a third, broken one that goes back; malformed data is found before that. */
export function withThirdLeg(
  body: JsonObject,
  change: (leg: JsonObject) => JsonObject,
): readonly JsonObject[] {
  const flights = objectsAt(body, 'flights');
  const [, second = {}] = flights;
  const { origin = '', destination = '' } = second;
  return [...flights, change({ ...second, origin: destination, destination: origin })];
}

/** A request broken in the way of a corruption. */
export function corrupt(t: CheckContext, corruption: Corruption, valid: JsonObject): JsonObject {
  return pick(t, corruption.name, corruption.apply)(valid);
}

/** The body with a record locator that no other one has. */
export function withFreshPnr(t: CheckContext, body: JsonObject): JsonObject {
  return { ...body, pnr: t.identities.pnr() };
}

/** The body with a change made in every flight. */
export function inFlights(
  body: JsonObject,
  change: (flight: JsonObject, index: number) => JsonObject,
): JsonObject {
  return { ...body, flights: objectsAt(body, 'flights').map(change) };
}

export function firstPassenger(body: JsonObject): JsonObject {
  return objectsAt(body, 'passengers')[0] ?? {};
}

/**
 * A passenger that lacks two things for different reasons. Neither the email nor the passport is left out, which may
 * mean that it is kept from before.
 */
export function lackingTwice(complete: JsonObject): JsonObject {
  const passport = isJsonObject(complete.passport) ? without(complete.passport, 'number') : {};
  return { ...complete, passport, email: null };
}

/** Passengers that show whether they are stored: without passports if nothing is missing, complete if something is. */
export function contraryPassengers({ body }: OwnRecord, read: Exchange): readonly JsonObject[] {
  const isLacking = lacksSomething(objectOf(read)).status === 'holds';
  return objectsAt(isLacking ? body : withoutPassports(body), 'passengers');
}

/** Sends an update of a record with the key that made it. */
export function sendUpdate(t: CheckContext, record: OwnRecord, body: JsonObject): Promise<Exchange> {
  return t.send(update(body, { key: sameKey(t, record.subscribed) }));
}

/** The body of an update that changes the record locator. */
export function pnrUpdate(record: OwnRecord, pnr: string): JsonObject {
  return { checkin_id: record.checkinId, type: 'pnr', payload: { pnr } };
}

/** Whether the request was refused as invalid. */
export function isRefused(exchange: Exchange): boolean {
  return answered(exchange, invalid).status === 'holds';
}

/** Whether its booking_id is a number, as it should be. */
export function isNumbered({ bookingId }: OwnRecord): boolean {
  return typeof bookingId === 'number';
}

/** booking_id as a number in JSON, with all its digits. */
export function bookingNumber({ bookingDigits, bookingId }: OwnRecord): JsonValue {
  if (typeof bookingId !== 'number')
    throw new Error('booking_id is no number: isNumbered has to be asked first');
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => JsonValue };
  return rawJSON(bookingDigits);
}

/** The record of two legs; the check is skipped if the deployment accepted none. */
export function twoLegRecord(t: CheckContext): Promise<OwnRecord> {
  return t.fixtures
    .itineraryRecord('twoLeg')
    .catch((error: unknown) => t.skip(becauseOf('no itinerary of two legs was accepted', error)));
}

/** The domestic record; the check is skipped if the deployment accepted none. */
export function domesticRecord(t: CheckContext): Promise<OwnRecord> {
  return t.fixtures
    .itineraryRecord('domestic')
    .catch((error: unknown) => t.skip(becauseOf('no domestic booking was accepted', error)));
}

/** A reason that says what a fixture missed, with the exchanges that show it. */
function becauseOf(what: string, error: unknown): string {
  return error instanceof Error ? `${what}: ${error.message}` : what;
}

/** A record to change: a new one if there are units to spend, else the one that such checks share. */
export function ownRecord(t: CheckContext): Promise<OwnRecord> {
  return t.isSparing ? t.fixtures.scratchRecord() : t.fixtures.subscribed();
}

/** The record as it is read now. */
export function readStatus(t: CheckContext, checkinId: string, key?: KeyChoice): Promise<Exchange> {
  return t.send(status({ checkin_id: checkinId }, key === undefined ? {} : { key }));
}

/** Reads until `isThere`, a few times at most: a change may take a moment to be seen. Returns the last answer. */
export async function readUntil(
  t: CheckContext,
  read: () => Promise<Exchange>,
  isThere: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  let exchange = await read();
  for (const pause of [200, 800, 2000]) {
    if (isThere(exchange)) break;
    await t.sleep(pause);
    exchange = await read();
  }
  return exchange;
}

/** The record that an update answered with, or a subscribe in its place. */
export function updated(exchange: Exchange): AnswerObject | null {
  const body = objectOf(exchange);
  return exchange.operation === 'wci.subscribe' ? body : updatedRecord(body);
}

/** What an update did to its record: from the answer or, since that may take a moment, from a read a little later. */
export async function judgeUpdated(
  t: CheckContext,
  answer: Exchange,
  judge: (record: AnswerObject | null) => Judgement,
  key?: KeyChoice,
): Promise<{ readonly evidence: readonly Exchange[]; readonly judgement: Judgement }> {
  const taken = accepted(answer);
  const shown = taken.status === 'holds' ? judge(updated(answer)) : taken;
  const checkinId = updated(answer)?.checkin_id;
  if (shown.status !== 'violated' || taken.status !== 'holds' || typeof checkinId !== 'string') {
    return { evidence: [answer], judgement: shown };
  }
  const holdsNow = (exchange: Exchange) => judge(objectOf(exchange)).status === 'holds';
  const read = await readAfter(t, answer, () => readStatus(t, checkinId, key), holdsNow);
  return { evidence: [answer, read], judgement: judge(objectOf(read)) };
}

/** Looks at what an update did: a few times, if its answer does not show that yet. */
export async function lookAt(
  t: CheckContext,
  answer: Exchange,
  wanted: (record: AnswerObject | null) => Judgement,
): Promise<void> {
  await judgeUpdated(t, answer, wanted);
}

/** How much longer a copy is waited for that is later than most. */
const lateCopyMs = 5000;

/** As readUntil, for what an update did: with patience for a copy that shows the record as it was before. */
async function readAfter(
  t: CheckContext,
  answer: Exchange,
  read: () => Promise<Exchange>,
  isThere: (exchange: Exchange) => boolean,
): Promise<Exchange> {
  const found = await readUntil(t, read, (one) => isThere(one) && !isOfBefore(one, answer));
  if (!isOfBefore(found, answer)) return found;
  await t.sleep(lateCopyMs);
  return read();
}

/** Whether a status read shows the record as it was before the update, as one from a copy that is late does. */
export function isOfBefore(read: Exchange, update: Exchange): boolean {
  const shown = readInstant(objectOf(read)?.last_updated);
  const written = readInstant(updated(update)?.last_updated);
  if (shown === null || written === null) return false;
  // A copy may keep whole seconds.
  return shown < written && !(shown % 1000 === 0 && written - shown < 1000);
}

/** Items of a list answer. */
export function itemsOf(exchange: Exchange): readonly AnswerObject[] {
  const data = memberOf(exchange, 'data');
  return Array.isArray(data) ? (data as readonly unknown[]).filter(isObject) : [];
}

/**
 * Whether the later of two updates of one record has moved its last_updated. If it has not, `again` makes another one after a
 * while: a machine whose clock is behind may keep the time at which another one made the record.
 */
export async function judgeMoved(
  t: CheckContext,
  [earlier, later]: readonly [Exchange, Exchange],
  again: () => Promise<Exchange>,
): Promise<{ readonly evidence: readonly Exchange[]; readonly judgement: Judgement }> {
  const judgement = movedOn(earlier, later);
  if (judgement.status !== 'violated') return { evidence: [earlier, later], judgement };
  await t.sleep(clockSlackMs);
  const last = await again();
  return { evidence: [earlier, later, last], judgement: movedOn(earlier, last) };
}

/** Two updates of one record; where the later one has not moved last_updated, another one after a while. */
export async function moveOn(
  t: CheckContext,
  updates: readonly [Exchange, Exchange],
  again: () => Promise<Exchange>,
): Promise<void> {
  await judgeMoved(t, updates, again);
}

/** Whether a read after two updates of one record shows anything but the time of the first one. */
export function showsLatest(read: Exchange, [earlier, later]: readonly [Exchange, Exchange]): Judgement {
  const [before, latest] = [earlier, later].map((one) => updated(one)?.last_updated);
  if (movedOn(earlier, later).status !== 'holds') return unclear('the update has not moved last_updated');
  const shown = objectOf(read)?.last_updated;
  if (shown === undefined || shown !== before || shown === latest) return holds;
  return differs('stale', 'last_updated', is.value(latest), is.value(shown));
}

/** Whether the later of two updates of one record has moved its last_updated. */
function movedOn(earlier: Exchange, later: Exchange): Judgement {
  const [before, after] = [earlier, later].map((one) => readInstant(updated(one)?.last_updated));
  if (before === null || after === null || before === undefined || after === undefined)
    return unclear('last_updated is no timestamp');
  // The machine that made the later update may be behind the other.
  return after !== before && after > before - clockSlackMs
    ? holds
    : differs(
        'last-updated',
        'last_updated',
        is.pattern(`after ${new Date(before).toISOString()}`),
        new Date(after).toISOString(),
      );
}
