import {
  type CheckContext,
  type Exchange,
  type OwnRecord,
  all,
  equalMembers,
  hasMember,
  holds,
  isAccepted,
  lacksSomething,
  memberOf,
  objectOf,
  objectsAt,
  sameMembers,
  subscribe,
  update,
} from '../checks.ts';
import { lackingTwice, readStatus, readUntil, withFreshPnr } from './checkin.ts';
import { withKey } from './enterprises.ts';
import { isSameAttempt } from './sameBooking.ts';

type Key = Parameters<typeof withKey>[0];

/** Subscribes a booking again once its attempt has a status; says what became of one that had ended. */
export async function repeatedIn(
  t: CheckContext,
  status: string,
  key: Key,
): Promise<'reused' | 'anew' | null> {
  const record = await t.fixtures.subscribed(undefined, withKey(key));
  await t.state.set('checkin.progress', { checkin_id: record.checkinId, status });
  const again = await t.send(subscribe(record.body, { key: withKey(key) }));
  // A copy that is behind still shows it as it was made.
  const isMoved = (one: Exchange) => memberOf(one, 'status') !== 'SCHEDULED';
  const read = await readUntil(t, () => readStatus(t, record.checkinId, withKey(key)), isMoved);
  const isFound = isSameAttempt(again, record);
  // Whether what has ended is subscribed anew is not said.
  if (status !== 'IN_PROGRESS' && !isFound) return isAccepted(again) ? 'anew' : null;
  t.assume(isAccepted(again), 'the booking was not accepted again');
  t.assume(memberOf(read, 'status') !== undefined, 'the record was not read');
  const isStill = hasMember(objectOf(read), 'status', status);
  // An attempt that has not moved may be one that the state handler could not move.
  t.assume(isFound || isStill.status === 'holds', 'the record is not read under way');
  const now = memberOf(read, 'status');
  const isMovedOn = status === 'IN_PROGRESS' && (now === 'COMPLETED' || now === 'FAILED');
  // An automation of its own may have ended it by then, before or after it was subscribed again.
  const shown = isMovedOn && memberOf(again, 'status') === now ? now : status;
  const said = all(isMovedOn ? holds : isStill, hasMember(objectOf(again), 'status', shown));
  if (isFound) t.judge([again, read], { 'WCI-SUB-017': said });
  judgeFound(t, record, again);
  return status === 'IN_PROGRESS' ? null : 'reused';
}

/** Subscribes a booking again after an update with the passengers that it has, which makes it no other booking. */
export async function repeatedAfterUpdate(t: CheckContext, key: Key): Promise<void> {
  const record = await t.fixtures.subscribed(undefined, withKey(key));
  const passengers = objectsAt(record.body, 'passengers');
  const updated = await t.send(
    update({ checkin_id: record.checkinId, type: 'passengers', passengers }, { key: withKey(key) }),
  );
  const again = await t.send(subscribe(record.body, { key: withKey(key) }));
  if (isAccepted(updated) && isAccepted(again)) judgeFound(t, record, again);
  await repeatedWhileLacking(t, record, key);
}

/** The same once its attempt lacks something: the answer shows the attempt as it is now, not as it was made. */
async function repeatedWhileLacking(t: CheckContext, record: OwnRecord, key: Key): Promise<void> {
  const { checkinId: checkin_id, body } = record;
  const options = { key: withKey(key) };
  const passengers = objectsAt(body, 'passengers').map(lackingTwice);
  await t.send(update({ checkin_id, type: 'passengers', passengers }, options));
  const isLacking = (read: Exchange) => lacksSomething(objectOf(read)).status === 'holds';
  const read = await readUntil(t, () => readStatus(t, checkin_id, withKey(key)), isLacking);
  if (!isLacking(read)) return;
  const again = await t.send(subscribe(body, options));
  const [shown, now] = [objectOf(again), objectOf(read)];
  if (!isSameAttempt(again, record) || !shown || !now) return;
  t.judge([read, again], { 'WCI-STS-007': sameMembers(shown, now, ['sub_status', 'missing_info']) });
}

/** Subscribes a booking of two legs again, if one is supported; of its own, since others may change the shared one. */
export async function repeatedTwoLegs(t: CheckContext, key: Key): Promise<void> {
  const supported = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
  if (!supported) return;
  const record = await t.fixtures.subscribed(withFreshPnr(t, supported.body), withKey(key));
  const again = await t.send(subscribe(record.body, { key: withKey(key) }));
  if (isAccepted(again)) judgeFound(t, record, again);
}

function judgeFound(t: CheckContext, record: OwnRecord, again: Exchange): void {
  t.judge([record.subscribed, again], {
    'WCI-SUB-015': hasMember(objectOf(again), 'message', 'ALREADY_SUBSCRIBED'),
    'WCI-SUB-016': equalMembers(again, record.subscribed, ['checkin_id', 'booking_id']),
  });
}
