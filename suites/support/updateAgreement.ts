import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type Judgement,
  type OwnRecord,
  hasMember,
  objectOf,
  objectsAt,
  sameMembers,
  unclear,
} from '../checks.ts';
import { readStatus, readUntil, sendUpdate, updated } from './checkin.ts';
import { sameKey } from './keys.ts';
import { answersFirst, judgePair } from './updateIdentifiers.ts';

const stateMembers = ['checkin_id', 'booking_id', 'status', 'sub_status', 'missing_info'] as const;

/** The same of booking_id as text, beside the alias, and where the passengers are replaced. */
export async function judgePairs(t: CheckContext, one: OwnRecord, other: OwnRecord): Promise<void> {
  const { checkinId } = one;
  const booking_id = other.bookingDigits;
  const pairs = [
    { name: 'booking_id as text', ids: { checkin_id: checkinId, booking_id } },
    { name: 'webcheckin_id and booking_id', ids: { webcheckin_id: checkinId, booking_id } },
  ];
  await t.each(pairs, async ({ ids }) => {
    await judgePair(t, { one, other }, ids);
  });
  await t.each(['passengers with both'], async () => {
    const passengers = objectsAt(one.body, 'passengers');
    const exchange = await sendUpdate(t, one, {
      checkin_id: checkinId,
      booking_id: other.bookingId,
      passengers,
    });
    t.judge(exchange, { 'WCI-UPD-005': answersFirst(exchange, one) });
  });
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

/** A read that goes out later than this may show what has followed the update since; milliseconds. */
const rightAfterMs = 250;

/** Reads until the status agrees with the answer of an update. */
export async function judgeAgreement(
  t: CheckContext,
  record: OwnRecord,
  answer: Exchange,
): Promise<Exchange> {
  const reads: Exchange[] = [];
  const read = async () => {
    const one = await readStatus(t, record.checkinId, sameKey(t, record.subscribed));
    reads.push(one);
    return one;
  };
  const last = await readUntil(t, read, (one) => agreement(one, answer).status === 'holds');
  const judgement = agreement(last, answer);
  const isLate = (reads[0]?.timings.sent ?? 0) - answer.timings.received > rightAfterMs;
  const late = `the first read went out later than ${rightAfterMs} ms after the answer`;
  t.judge([answer, last], {
    'WCI-UPD-033': isLate && judgement.status === 'violated' ? unclear(late) : judgement,
  });
  return last;
}

/** When sub_status follows an update that completes a record, and that it does. */
export async function judgeCompletion(
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
  const shown = objectOf(read);
  if (shown?.status === 'SCHEDULED')
    t.judge(read, { 'WCI-UPD-046': hasMember(shown, 'sub_status', 'COMPLETE_INFO') });
}
