import {
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  type OwnRecord,
  about,
  accepted,
  all,
  hash32,
  hasMember,
  memberOf,
  holds,
  isAccepted,
  isJsonObject,
  lacksNothing,
  lacksSomething,
  objectsAt,
  responseOf,
  without,
  withoutPassports,
  differs,
  is,
} from '../checks.ts';
import {
  bookingNumber,
  isNumbered,
  isRefused,
  judgeMoved,
  judgeUpdated,
  sendUpdate,
  updated,
} from './checkin.ts';
import { untilTick } from './clocks.ts';
import { findRecord } from './listing.ts';

/** A name by which an update may mean its record, and the rule that says so. */
interface Naming {
  readonly rule: string;
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
    { rule: 'WCI-UPD-002', name: 'webcheckin_id', identifier: alias, isPoorer: true },
    ...numbers.map((identifier) => ({
      rule: 'WCI-UPD-003',
      name: 'booking_id as a number',
      identifier,
      isPoorer: false,
    })),
    { rule: 'WCI-UPD-004', name: 'booking_id as text', identifier: text, isPoorer: true },
  ];
}

export function isOf(exchange: Exchange, record: OwnRecord): boolean {
  return updated(exchange)?.checkin_id === record.checkinId;
}

export function isRecord(exchange: Exchange, record: OwnRecord): Judgement {
  return hasMember(updated(exchange), 'checkin_id', record.checkinId);
}

/** Replaces the passengers by one of the names, after the contrary was sent by checkin_id; returns the answer that a read has to agree with. */
export async function judgeNaming(
  t: CheckContext,
  record: OwnRecord,
  naming: Naming,
): Promise<Exchange | null> {
  const { rule, name, identifier, isPoorer } = naming;
  const [passengers, contrary] = [passengersOf(record, isPoorer), passengersOf(record, !isPoorer)];
  const before = t.isSparing
    ? null
    : await sendUpdate(t, record, { checkin_id: record.checkinId, passengers: contrary });
  if (before) await untilTick(t, updated(before)?.last_updated);
  const exchange = await sendUpdate(t, record, { ...identifier, passengers });
  t.assume(responseOf(exchange)?.status !== 409, 'a record that lacks something cannot be updated');
  t.judge(exchange, { [rule]: all(accepted(exchange), isRecord(exchange, record)) });
  const shown = memberOf(record.subscribed, 'booking_id');
  t.judge(exchange, { 'WCI-UPD-035': hasMember(updated(exchange), 'booking_id', shown ?? record.bookingId) });
  if (!before || !isAccepted(exchange) || !isOf(exchange, record)) return null;
  const moved = await judgeMoved(t, [before, exchange], () =>
    sendUpdate(t, record, { ...identifier, passengers: passengers.map(rephoned) }),
  );
  t.judge(moved.evidence, { 'WCI-UPD-034': about(moved.judgement, `an update by ${name}`) });
  await judgeEffect(t, record, { rule, isPoorer, exchange });
  return exchange;
}

/** What shows nowhere moves last_updated too. */
export async function judgeUnseenMoved(t: CheckContext, record: OwnRecord): Promise<void> {
  const complete = passengersOf(record, false);
  const send = (passengers: readonly JsonObject[]) =>
    sendUpdate(t, record, { checkin_id: record.checkinId, passengers });
  const before = await send(complete);
  await untilTick(t, updated(before)?.last_updated);
  const after = await send(complete.map(rephoned));
  if (!isAccepted(before) || !isAccepted(after)) return;
  const moved = await judgeMoved(t, [before, after], () => send(complete));
  t.judge(moved.evidence, { 'WCI-UPD-034': moved.judgement });
}

function passengersOf({ body }: OwnRecord, isPoorer: boolean): readonly JsonObject[] {
  const complete = objectsAt(body, 'passengers');
  // Neither null nor left out, which are rules of their own.
  return isPoorer ? complete.map(withoutNumber) : complete;
}

/** What is missing shows whether an update took effect; where it would not show by checkin_id either, that is another rule. */
async function judgeEffect(
  t: CheckContext,
  record: OwnRecord,
  { rule, isPoorer, exchange }: Pick<Naming, 'rule' | 'isPoorer'> & { readonly exchange: Exchange },
): Promise<void> {
  const judge = isPoorer ? lacksSomething : lacksNothing;
  const took = await judgeUpdated(t, exchange, judge);
  if (took.judgement.status === 'violated') {
    const checkin_id = record.checkinId;
    // Again the contrary, so that the control has something to change.
    await sendUpdate(t, record, { checkin_id, passengers: passengersOf(record, !isPoorer) });
    const control = await sendUpdate(t, record, { checkin_id, passengers: passengersOf(record, isPoorer) });
    const { judgement } = await judgeUpdated(t, control, judge);
    t.assume(judgement.status === 'holds', 'by checkin_id it changes nothing either');
  }
  t.judge(took.evidence, { [rule]: took.judgement });
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
export async function judgePnrBy(
  t: CheckContext,
  record: OwnRecord,
  { rule, name, identifier }: Naming,
): Promise<void> {
  const pnr = likeNumber(hash32(t.identities.pnr()));
  const exchange = await sendUpdate(t, record, { ...identifier, type: 'pnr', payload: { pnr } });
  t.judge(exchange, {
    [rule]: about(all(accepted(exchange), isRecord(exchange, record)), `a pnr by ${name}`),
  });
  if (!isAccepted(exchange) || !isOf(exchange, record)) return;
  const { item, page } = await findRecord(t, record, { until: (shown) => shown?.pnr === pnr });
  t.judge([exchange, page], { 'WCI-UPD-014': about(hasMember(item, 'pnr', pnr), `a pnr by ${name}`) });
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

/** Identifiers that name two records of one enterprise: the one of checkin_id is meant. */
export async function judgePair(
  t: CheckContext,
  { one, other }: { readonly one: OwnRecord; readonly other: OwnRecord },
  identifiers: JsonObject,
): Promise<Exchange> {
  const fresh = t.identities.pnr();
  const exchange = await sendUpdate(t, one, { ...identifiers, type: 'pnr', payload: { pnr: fresh } });
  const { page, item, listing } = await findRecord(t, one, {
    until: (shown) => shown !== null && (!isAccepted(exchange) || shown.pnr === fresh),
  });
  const second = listing.items.find(({ checkin_id }) => checkin_id === other.checkinId);
  const isUntouched = second === undefined || second.pnr === other.pnr;
  t.judge([exchange, page], {
    'WCI-UPD-005': !isUntouched
      ? differs('record', 'pnr', is.value(other.pnr, 'of booking_id as before'), is.value(second.pnr))
      : isRefused(exchange)
        ? holds
        : all(accepted(exchange), isRecord(exchange, one), hasMember(item, 'pnr', fresh)),
  });
  return exchange;
}

/** An answer to identifiers of two records: a refusal, or the record of checkin_id. */
export function answersFirst(exchange: Exchange, one: OwnRecord): Judgement {
  return isRefused(exchange) ? holds : all(accepted(exchange), isRecord(exchange, one));
}
