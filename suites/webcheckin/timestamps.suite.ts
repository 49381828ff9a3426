import {
  type Exchange,
  type JsonObject,
  type Judgement,
  sparing,
  holds,
  isAccepted,
  memberOf,
  objectsAt,
  readInstant,
  suite,
  unclear,
  update,
  differs,
  is,
} from '../checks.ts';
import { sameKey } from '../support/keys.ts';
import { findRecord, isListed } from '../support/listing.ts';

export default suite('Lifecycle timestamps', [
  sparing({
    id: 'wci.timestamps.update',
    title: 'an update leaves created_at as it was, and last_updated is shown and does not go back',
    verifies: ['WCI-LST-027', 'WCI-LST-031', 'WCI-DT-026', 'WCI-DT-029'],
    uses: ['workbench-record'],
    run: async (t) => {
      const { checkinId, body, subscribed } = await t.fixtures.workbenchRecord();
      const key = sameKey(t, subscribed);
      const listedBefore = await findRecord(t, checkinId, { key, until: isListed });
      const times: unknown[] = [listedBefore.item?.last_updated];
      const updates: Exchange[] = [];
      // The second one shows a time that is always that of the update before.
      for (let count = 0; count < (t.isSparing ? 1 : 2); count += 1) {
        // Without a pause, a time that moves with the update could not be distinguished from one that stays.
        await t.sleep(isWholeSecond(times.at(-1)) ? 1_100 : t.grace(50));
        // What is stored changes each time: an update that changes nothing need not be a later one.
        const passengers = withPhone(body, `555010${count}`);
        const x = await t.send(update({ checkin_id: checkinId, passengers }, { key }));
        t.assume(isAccepted(x), 'the update was not accepted');
        updates.push(x);
        times.push(memberOf(x, 'data', 'last_updated'));
      }
      const latest = times.at(-1);
      const earlier = times.filter((time) => isLaterThan(time, latest));
      const isStale = (time: unknown) => earlier.includes(time);
      const listedAfter = await findRecord(t, checkinId, {
        key,
        until: (item) => isListed(item) && !isStale(item?.last_updated),
      });
      t.assume(listedBefore.item !== null && listedAfter.item !== null, 'the record is not listed');
      const after = listedAfter.item?.last_updated;
      t.judge([listedBefore.page, ...updates, listedAfter.page], {
        'WCI-LST-031':
          earlier.length > 0
            ? follows(latest, after, isStale(after))
            : unclear('the update answers with no later last_updated'),
      });
    },
  }),
]);

/** The passengers of a booking, the first one with another phone, which no answer shows. */
function withPhone(body: JsonObject, phone: string): readonly JsonObject[] {
  const [first, ...others] = objectsAt(body, 'passengers');
  return [{ ...first, phone }, ...others];
}

/** Whether a time may have lost its milliseconds: an update within the same second then shows no later one. */
function isWholeSecond(time: unknown): boolean {
  const parsed = readInstant(time);
  return parsed !== null && parsed % 1_000 === 0;
}

/** Whether the second is later by what a list that shows whole seconds shows as well. */
function isLaterThan(early: unknown, late: unknown): boolean {
  const [one, other] = [readInstant(early), readInstant(late)];
  if (one === null || other === null) return false;
  return (one % 1000 === 0 ? Math.floor(other / 1000) * 1000 : other) > one;
}

/** Whether anything is shown but what held before the latest update; what exactly is another rule's. */
function follows(latest: unknown, shown: unknown, isStale: boolean): Judgement {
  if (!isStale) return holds;
  return differs('stale', 'last_updated', is.value(latest, 'as the update answered'), is.value(shown));
}
