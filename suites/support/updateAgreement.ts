import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  objectOf,
  objectsAt,
  sameMembers,
  unclear,
} from '../checks.ts';
import { readStatus, readUntil, sendUpdate, updated } from './checkin.ts';
import { sameKey } from './keys.ts';
import { updatePair } from './updateIdentifiers.ts';

const stateMembers = ['checkin_id', 'booking_id', 'status', 'sub_status', 'missing_info'] as const;

/** The same of booking_id as text, beside the alias, and where the passengers are replaced. */
export async function updatePairs(t: CheckContext, one: OwnRecord, other: OwnRecord): Promise<void> {
  const { checkinId: checkin_id, body } = one;
  const booking_id = other.bookingDigits;
  await updatePair(t, one, { checkin_id, booking_id });
  await updatePair(t, one, { webcheckin_id: checkin_id, booking_id });
  const passengers = objectsAt(body, 'passengers');
  await sendUpdate(t, one, { checkin_id, booking_id: other.bookingId, passengers });
}

function agreement(read: Exchange, answer: Exchange): Judgement {
  const [shown, told] = [objectOf(read), updated(answer)];
  if (!shown || !told) return unclear('there is no record to compare');
  // When sub_status follows an update is open: one that has followed since the answer is no contradiction.
  const hasFollowed = shown.sub_status === 'COMPLETE_INFO' && shown.status === told.status;
  return sameMembers(
    shown,
    told,
    stateMembers.filter((member) => !hasFollowed || member !== 'sub_status'),
  );
}

/** Reads until the status agrees with the answer of an update. */
export function readAgreed(t: CheckContext, record: OwnRecord, answer: Exchange): Promise<Exchange> {
  const read = () => readStatus(t, record.checkinId, sameKey(t, record.subscribed));
  return readUntil(t, read, (one) => agreement(one, answer).status === 'holds');
}

/** When sub_status follows an update that completes a record. */
export async function observeCompletion(
  t: CheckContext,
  record: OwnRecord,
  answer: Exchange,
  first: Exchange,
): Promise<void> {
  const isDone = (shown: AnswerObject | null) => shown?.sub_status === 'COMPLETE_INFO';
  const isThere = (exchange: Exchange) => isDone(objectOf(exchange));
  const read = isThere(first) ? first : await readUntil(t, () => readStatus(t, record.checkinId), isThere);
  const variant = isDone(updated(answer)) ? 'at-once' : isThere(read) ? 'later' : 'unchanged';
  t.observe('WCI-OPN-049', variant, answer);
}
