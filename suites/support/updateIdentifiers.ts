import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  accepted,
  all,
  hash32,
  hasMember,
  holds,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  objectsAt,
  without,
  withoutPassports,
} from '../checks.ts';
import { bookingNumber, isNumbered, isRefused, lookAt, moveOn, sendUpdate, updated } from './checkin.ts';
import { untilTick } from './clocks.ts';
import { findRecord } from './listing.ts';

/** A name by which an update may mean its record. */
interface Naming {
  readonly name: string;
  readonly identifier: JsonObject;
  /** Whether its passengers lack something: alternately less and more, so that each update shows whether it took effect. */
  readonly isPoorer: boolean;
}

/** The names of a record beside checkin_id. */
export function namingsOf(record: OwnRecord): readonly Naming[] {
  const { checkinId, bookingDigits } = record;
  const [alias, text] = [{ webcheckin_id: checkinId }, { booking_id: bookingDigits }];
  const numbers = isNumbered(record) ? [{ booking_id: bookingNumber(record) }] : [];
  return [
    { name: 'webcheckin_id', identifier: alias, isPoorer: true },
    ...numbers.map((identifier) => ({
      name: 'booking_id as a number',
      identifier,
      isPoorer: false,
    })),
    { name: 'booking_id as text', identifier: text, isPoorer: true },
  ];
}

export function isOf(exchange: Exchange, record: OwnRecord): boolean {
  return updated(exchange)?.checkin_id === record.checkinId;
}

/** Replaces the passengers by one of the names, after the contrary was sent by checkin_id; returns the answer that a read has to agree with. */
export async function updateBy(t: CheckContext, record: OwnRecord, naming: Naming): Promise<Exchange> {
  const { identifier, isPoorer } = naming;
  const [passengers, contrary] = [passengersOf(record, isPoorer), passengersOf(record, !isPoorer)];
  const send = (name: JsonObject, some: readonly JsonObject[]) =>
    sendUpdate(t, record, { ...name, passengers: some });
  if (t.isSparing) return send(identifier, passengers);
  const before = await send({ checkin_id: record.checkinId }, contrary);
  await untilTick(t, updated(before)?.last_updated);
  const exchange = await send(identifier, passengers);
  await moveOn(t, [before, exchange], () => send(identifier, passengers.map(rephoned)));
  await lookAt(t, exchange, isPoorer ? lacksSomething : lacksNothing);
  return exchange;
}

/** What shows nowhere moves last_updated too. */
export async function updateUnseen(t: CheckContext, record: OwnRecord): Promise<void> {
  const complete = passengersOf(record, false);
  const send = (passengers: readonly JsonObject[]) =>
    sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
  const before = await send(complete);
  await untilTick(t, updated(before)?.last_updated);
  await moveOn(t, [before, await send(complete.map(rephoned))], () => send(complete));
}

function passengersOf({ body }: OwnRecord, isPoorer: boolean): readonly JsonObject[] {
  const complete = objectsAt(body, 'passengers');
  // Neither null nor left out, which are rules of their own.
  return isPoorer ? complete.map(withoutNumber) : complete;
}

function withoutNumber(passenger: JsonObject): JsonObject {
  const { passport } = passenger;
  return { ...passenger, passport: isJsonObject(passport) ? without(passport, 'number') : {} };
}

/** A passenger with another phone, which shows nowhere and is a change all the same. */
export function rephoned(passenger: JsonObject): JsonObject {
  const { phone } = passenger;
  return { ...passenger, phone: `${typeof phone === 'string' ? phone.slice(0, -1) : '202555014'}9` };
}

/** Changes the pnr by one of the names, and looks for it in the list. */
export async function renameBy(t: CheckContext, record: OwnRecord, { identifier }: Naming): Promise<void> {
  const pnr = likeNumber(hash32(t.identities.pnr()));
  const exchange = await sendUpdate(t, record, { ...identifier, type: 'pnr', payload: { pnr } });
  if (isAccepted(exchange)) await findRecord(t, record, { until: (shown) => shown?.pnr === pnr });
}

/** A locator that programs read as a number with an exponent. */
function likeNumber(random: number): string {
  return `${random % 10}E${String(random % 9973).padStart(4, '0')}`;
}

/** Another record of the enterprise, which a mistaken update may change: its own, if there are units to spend. */
export async function neighbour(t: CheckContext): Promise<OwnRecord> {
  if (t.isSparing) return t.fixtures.incompleteRecord();
  return t.fixtures.subscribed(withoutPassports(await t.fixtures.booking()));
}

/** Changes a pnr by identifiers that name two records of one enterprise, and looks at both. */
export async function updatePair(
  t: CheckContext,
  one: OwnRecord,
  identifiers: JsonObject,
): Promise<Exchange> {
  const pnr = t.identities.pnr();
  const exchange = await sendUpdate(t, one, { ...identifiers, type: 'pnr', payload: { pnr } });
  await findRecord(t, one, {
    until: (shown) => shown !== null && (!isAccepted(exchange) || shown.pnr === pnr),
  });
  return exchange;
}

/** An answer to identifiers of two records: a refusal, or the record of checkin_id. */
export function answersFirst(exchange: Exchange, one: OwnRecord): Judgement {
  return isRefused(exchange)
    ? holds
    : all(accepted(exchange), hasMember(updated(exchange), 'checkin_id', one.checkinId));
}
