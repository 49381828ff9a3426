import {
  type CheckContext,
  fixed,
  generate,
  memberOf,
  objectsAt,
  otherKey,
  subscribe,
  suite,
  update,
  without,
} from '../checks.ts';
import { lackingTwice, readStatus } from '../support/checkin.ts';
import { untilTick } from '../support/clocks.ts';
import { sameKey } from '../support/keys.ts';
import { moved, progress, told } from '../support/movements.ts';
import { settled } from '../support/settledChange.ts';
import { callbackDataFor, hooked, isTold, taken } from '../support/webhooks.ts';

const needs = ['sink', 'state:checkin.progress'] as const;

export default suite('Events: what is not pushed', [
  fixed({
    id: 'wci.callbacks.unasked',
    title: 'a request without callbackData is not pushed, to no address of its enterprise',
    verifies: ['WCI-CB-014'],
    needs,
    uses: ['complete-record'],
    run: async (t) => {
      const control = await hooked(t);
      const { checkinId, subscribed } = await t.fixtures.subscribed(undefined, control.key);
      await t.state.set('checkin.progress', { checkin_id: checkinId, status: 'IN_PROGRESS' });
      const read = await readStatus(t, checkinId, control.key);
      t.assume(memberOf(read, 'status') !== memberOf(subscribed, 'status'), 'the record was not moved');
      await told(t, control);
      await t.callbacks.settle({ patienceMs: shortly });
    },
  }),

  fixed({
    id: 'wci.callbacks.nothing-changed',
    title:
      'reads, repeated subscribes and progress without a change are not pushed, and callbacks go on after them',
    verifies: ['WCI-CB-015', 'WCI-CB-023'],
    needs,
    uses: ['complete-record'],
    run: async (t) => {
      const hook = await hooked(t);
      const { body, checkinId } = hook.record;
      const first = await moved(t, hook, hook.shown, { status: 'IN_PROGRESS' });
      if (!first.change.isOver && isTold(hook, 'COMPLETED'))
        t.skip('the automation of the deployment goes on faster than its callbacks come');
      t.assume(first.change.isOver, 'more of the first change may still come');
      // Another event of the same instant could be taken for a repeated delivery.
      await t.sleep(t.grace(20));
      await readStatus(t, checkinId, hook.key);
      await taken(t, subscribe(body, { key: hook.key }));
      // The last word, so that no later one registers again what this one has dropped.
      const repeat = await taken(t, subscribe(without(body, 'callbackData'), { key: hook.key }));
      t.assume(memberOf(repeat, 'checkin_id') === checkinId, 'the repeated subscribe made another request');
      // The same that was set before: what a look shows of it may differ from look to look.
      await progress(t, hook, { status: 'IN_PROGRESS' });
      // The same of what follows.
      await untilTick(t, null);
      await moved(t, hook, first.change.after, { status: 'COMPLETED' });
      await t.callbacks.settle({ patienceMs: shortly });
    },
  }),

  fixed({
    id: 'wci.callbacks.null-repeat',
    title: 'a repeated subscribe with callbackData null does not stop the callbacks of the first',
    verifies: ['WCI-CB-023'],
    needs,
    uses: ['complete-record'],
    run: async (t) => {
      const hook = await hooked(t);
      const { body, checkinId } = hook.record;
      const repeat = await taken(t, subscribe({ ...body, callbackData: null }, { key: hook.key }));
      t.assume(memberOf(repeat, 'checkin_id') === checkinId, 'the repeated subscribe made another request');
      await moved(t, hook, hook.shown, { status: 'COMPLETED' });
    },
  }),

  fixed({
    id: 'wci.callbacks.same-update',
    title:
      'an update with the passengers that are stored already is not pushed, and one that lacks something tells what',
    verifies: ['WCI-CB-015', 'WCI-CB-020'],
    needs,
    uses: ['complete-record'],
    run: async (t) => {
      const booking = await t.fixtures.booking();
      const passengers = objectsAt(booking, 'passengers').flatMap((one) => [one, generate.companionOf(one)]);
      const hook = await hooked(t, { body: { ...booking, passengers } });
      // The events of the creation come first.
      await t.callbacks.settle({ patienceMs: shortly });
      const { checkinId: checkin_id } = hook.record;
      await taken(t, update({ checkin_id, passengers }, { key: hook.key }));
      await readStatus(t, checkin_id, hook.key);
      await t.callbacks.settle({ patienceMs: shortly });
      const from = hook.address.mailbox.deliveries.length;
      await taken(t, update({ checkin_id, passengers: passengers.map(lackingTwice) }, { key: hook.key }));
      await settled(t, hook, hook.shown, from);
    },
  }),

  fixed({
    id: 'wci.callbacks.enterprises',
    title: 'the same booking of two enterprises is pushed to each for its own request only',
    verifies: ['WCI-CB-001', 'WCI-CB-020', 'WCI-CB-022'],
    needs: [...needs, 'other-enterprise'],
    uses: ['complete-record'],
    run: async (t) => {
      const body = await t.fixtures.booking();
      const mine = await hooked(t, { body });
      const theirs = await hooked(t, { body, key: otherKey });
      await moved(t, mine, mine.shown, { status: 'IN_PROGRESS' });
      await moved(t, theirs, theirs.shown, { status: 'IN_PROGRESS' });
      await t.callbacks.settle({ patienceMs: shortly });
    },
  }),

  fixed({
    id: 'wci.callbacks.repeat',
    title: 'what callbackData does in a repeated subscribe',
    verifies: ['WCI-OPN-020'],
    needs,
    uses: ['complete-record'],
    run: async (t) => {
      const late = await lateWebhook(t);
      const hook = await hooked(t);
      const second = t.callbacks.open('webcheckin');
      const callbackData = callbackDataFor(t, second.url);
      const x = await taken(t, subscribe({ ...hook.record.body, callbackData }, { key: hook.key }));
      await progress(t, hook, { status: 'IN_PROGRESS' });
      const come = () => [hook.address, second].some(({ mailbox }) => mailbox.count > 0);
      await t.callbacks.wait(second, come);
      await t.callbacks.settle({ patienceMs: shortly });
      if (!come()) return;
      const isReplaced = second.mailbox.count > 0;
      t.observe('WCI-OPN-020', isReplaced ? 'replaced' : late ? 'attached-if-none' : 'ignored', x);
    },
  }),
]);

/** Once the control has come, what else there is has come as well, but for a moment. */
const shortly = 1_000;

/** Whether a webhook that is given in a repeated subscribe gets the events of a request that had none. */
async function lateWebhook(t: CheckContext): Promise<boolean> {
  const record = await t.fixtures.subscribed();
  const address = t.callbacks.open('webcheckin');
  const key = sameKey(t, record.subscribed);
  await taken(t, subscribe({ ...record.body, callbackData: callbackDataFor(t, address.url) }, { key }));
  await t.state.set('checkin.progress', { checkin_id: record.checkinId, status: 'IN_PROGRESS' });
  await t.callbacks.settle();
  return address.mailbox.count > 0;
}
