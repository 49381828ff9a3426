import {
  type CheckContext,
  type Itinerary,
  type Judgement,
  fixed,
  holds,
  isPushed,
  suite,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { bookingAhead, leadTimeMs, marginMs, originOffset, severalOf } from '../support/departures.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { withKey } from '../support/keys.ts';
import { evidenceOfChange, isEnded, judgeTold, moved, progress, told } from '../support/movements.ts';
import { unlessUnclear } from '../support/unlessUnclear.ts';
import { type Hooked, eventsOf, hooked, isTold } from '../support/webhooks.ts';
import { westernItineraries } from '../support/zonedItineraries.ts';

export default suite('Events: whatever the request is like', [
  fixed({
    id: 'wci.callbacks.several',
    title: 'a change of a request with two legs and two passengers is pushed',
    verifies: ['WCI-CB-001'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      await judgeStart(t, await hooked(t, { body: await severalOf(t) }));
    },
  }),

  fixed({
    id: 'wci.callbacks.west-of-utc',
    title: 'a change is pushed although the departure, if its clock is read as UTC, is past',
    verifies: ['WCI-CB-001'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const leadMs = leadTimeMs + marginMs;
      const isPastInUtc = (one: Itinerary) => originOffset(t, one, leadMs) < -leadMs - marginMs;
      for (const itinerary of (await westernItineraries(t)).filter(isPastInUtc)) {
        const hook = await unlessUnclear(hooked(t, { body: bookingAhead(t, itinerary, leadMs) }));
        if (hook) return judgeTold(t, hook, await told(t, hook));
      }
      t.skip('no booking from an airport so far west of UTC was accepted');
    },
  }),

  fixed({
    id: 'wci.callbacks.at-once',
    title: 'of two changes at once each is pushed as it was, and not as the record is when it is delivered',
    verifies: ['WCI-CB-021'],
    needs: ['sink', 'state:checkin.progress'],
    uses: ['complete-record'],
    run: async (t) => {
      const hook = await hooked(t);
      // Where automation has begun with the subscribe, its status is no change any more.
      const ways = ['IN_PROGRESS', 'FAILED'].filter((status) => status !== hook.shown.status);
      for (const status of ways) await progress(t, hook, { status });
      const waited = await t.callbacks.wait(hook.address, () => ways.every((status) => isTold(hook, status)));
      t.assume(isTold(hook, 'FAILED'), 'the last change was not pushed, which is another rule');
      const isOver = await isEnded(t, hook, waited);
      t.judge([hook.record.subscribed, ...hook.address.mailbox.deliveries], {
        'WCI-CB-021': waited === 'come' ? holds : overwritten(hook, isOver),
      });
    },
  }),

  fixed({
    id: 'wci.callbacks.revoked-maker',
    title: 'a change is pushed after the key that made the request was revoked',
    verifies: ['WCI-CB-001'],
    needs: ['sink', 'state:checkin.progress', 'state:enterprise.create', 'state:keys.revoke'],
    uses: ['complete-record'],
    run: async (t) => {
      const { keys } = await freshEnterprise(t, { keys: 2 });
      const [maker, other] = keys;
      if (!maker || !other) return;
      const hook = await hooked(t, { key: withKey(maker) });
      await t.state.set('keys.revoke', { key: maker.value });
      await judgeStart(t, { ...hook, key: withKey(other) });
    },
  }),
]);

/** The first of two changes was told by no event, although the later one was. */
function overwritten(hook: Hooked, isOver: boolean): Judgement {
  if (!isOver) return unclear('the event of the first change may still come');
  const told = eventsOf(hook).map(({ changes }) => changes.status);
  return differs('overwritten', 'changes.status', ['IN_PROGRESS', 'FAILED'], is.value(told));
}

async function judgeStart(t: CheckContext, hook: Hooked): Promise<void> {
  const move = await moved(t, hook, hook.shown, { status: 'IN_PROGRESS' });
  t.judge(evidenceOfChange(move), { 'WCI-CB-001': isPushed(move.change) });
}
