import {
  type CheckContext,
  type Exchange,
  type OwnRecord,
  isAccepted,
  lacksSomething,
  memberOf,
  objectOf,
  objectsAt,
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
  await readUntil(t, () => readStatus(t, record.checkinId, withKey(key)), isMoved);
  if (status === 'IN_PROGRESS' || !isAccepted(again)) return null;
  // Whether what has ended is subscribed anew is not said.
  return isSameAttempt(again, record) ? 'reused' : 'anew';
}

/** Subscribes a booking again after an update with the passengers that it has, which makes it no other booking. */
export async function repeatedAfterUpdate(t: CheckContext, key: Key): Promise<void> {
  const record = await t.fixtures.subscribed(undefined, withKey(key));
  const passengers = objectsAt(record.body, 'passengers');
  await t.send(
    update({ checkin_id: record.checkinId, type: 'passengers', passengers }, { key: withKey(key) }),
  );
  await t.send(subscribe(record.body, { key: withKey(key) }));
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
  if (isLacking(read)) await t.send(subscribe(body, options));
}

/** Subscribes a booking of two legs again, if one is supported; of its own, since others may change the shared one. */
export async function repeatedTwoLegs(t: CheckContext, key: Key): Promise<void> {
  const supported = await t.fixtures.itineraryRecord('twoLeg').catch(() => null);
  if (!supported) return;
  const record = await t.fixtures.subscribed(withFreshPnr(t, supported.body), withKey(key));
  await t.send(subscribe(record.body, { key: withKey(key) }));
}
