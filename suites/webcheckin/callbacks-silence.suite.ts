import {
  type CheckContext,
  type Judgement,
  type Shown,
  type WebhookEvent,
  agreesWith,
  eventOf,
  fixed,
  fold,
  generate,
  holds,
  isIdle,
  memberOf,
  objectsAt,
  otherKey,
  shownBy,
  subscribe,
  suite,
  tellsOnlyText,
  unclear,
  update,
  without,
  withoutText,
  is,
  noneDue,
} from '../checks.ts';
import { agreement } from '../support/agreement.ts';
import { lackingTwice, readStatus } from '../support/checkin.ts';
import { sameKey } from '../support/keys.ts';
import {
  type Known,
  evidenceOfChange,
  goesOn,
  isEnded,
  judgeTold,
  moved,
  progress,
  told,
} from '../support/movements.ts';
import {
  type Hooked,
  callbackDataFor,
  eventsBetween,
  eventsOf,
  hooked,
  isTold,
  polled,
  taken,
} from '../support/webhooks.ts';

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
      t.judge([subscribed, read, ...control.address.mailbox.deliveries], {
        'WCI-CB-014': isSilent(control, checkinId, 'without callbackData'),
      });
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
      const from = hook.address.mailbox.deliveries.length;
      // Another event of the same instant could be taken for a repeated delivery.
      await t.sleep(t.grace(20));
      await readStatus(t, checkinId, hook.key);
      await taken(t, subscribe(body, { key: hook.key }));
      // The last word, so that no later one registers again what this one has dropped.
      const repeat = await taken(t, subscribe(without(body, 'callbackData'), { key: hook.key }));
      t.assume(memberOf(repeat, 'checkin_id') === checkinId, 'the repeated subscribe made another request');
      // The same that was set before: what a look shows of it may differ from look to look.
      await progress(t, hook, { status: 'IN_PROGRESS' });
      const isAhead = isTold(hook, 'COMPLETED', from);
      const last = await moved(t, hook, first.change.after, { status: 'COMPLETED' });
      await t.callbacks.settle({ patienceMs: shortly });
      // An automation of its own may have completed it long since, and then something did change.
      const all = eventsOf(hook, from);
      const end = all.findIndex(({ changes }) => changes.status === 'COMPLETED');
      const events = end < 0 ? all : all.slice(0, end);
      t.judge([repeat, ...evidenceOfChange(last), ...events.map(({ delivery }) => delivery)], {
        'WCI-CB-023': goesOn(last, isAhead),
        'WCI-CB-015': saysNothingAgain(hook.shown, eventsOf(hook, 0).slice(0, 1), first.change.after, events),
      });
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
      const isAhead = isTold(hook, 'COMPLETED');
      const next = await moved(t, hook, hook.shown, { status: 'COMPLETED' });
      t.judge([repeat, ...evidenceOfChange(next)], { 'WCI-CB-023': goesOn(next, isAhead) });
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
      let same = await sameAgain(t, hook, eventsOf);
      if (same?.said.status === 'violated') {
        // It may be an event of the creation, which is that late. Once all has come, an update has none of its own.
        const isOver = await isEnded(t, hook, await t.callbacks.settle());
        same = await sameAgain(t, hook, eventsBetween);
        t.assume(isOver || same?.said.status !== 'violated', 'more callbacks may still come');
      }
      if (!same) return;
      t.judge(same.evidence, { 'WCI-CB-015': same.said });
      await judgePoorer(t, hook, same.after);
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
      const both = [mine, theirs];
      await told(t, mine);
      const waited = await told(t, theirs);
      await t.callbacks.settle({ patienceMs: shortly });
      if (eventsOf(mine).length > 0) await judgeTold(t, theirs, waited);
      const evidence = both.flatMap(({ record, address }) => [
        record.subscribed,
        ...address.mailbox.deliveries,
      ]);
      t.judge(evidence, { 'WCI-CB-022': bothKeepToTheirOwn(mine, theirs) });
      t.judge(...(await agreement(t, theirs, 'IN_PROGRESS')));
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

/** An update with what is stored already, and whether anything of it is pushed; null if the record is not shown. */
async function sameAgain(
  t: CheckContext,
  hook: Hooked,
  eventsFrom: (hook: Hooked, from: number) => readonly WebhookEvent[],
) {
  const { body, checkinId } = hook.record;
  const from = hook.address.mailbox.deliveries.length;
  const again = { checkin_id: checkinId, passengers: body.passengers };
  const answer = await taken(t, update(again, { key: hook.key }));
  const read = await readStatus(t, checkinId, hook.key);
  const after = shownBy(read);
  if (!after) return null;
  await t.callbacks.settle({ patienceMs: shortly });
  const events = eventsFrom(hook, from);
  const evidence = [answer, read, ...events.map(({ delivery }) => delivery)];
  return { after, evidence, said: saysNothingAgain(hook.shown, [], after, events) };
}

/** Whether what is pushed of an update that leaves information missing is what is read; whether any is pushed is open (WCI-OPN-021). */
async function judgePoorer(t: CheckContext, hook: Hooked, before: Shown): Promise<void> {
  const { body, checkinId } = hook.record;
  const from = hook.address.mailbox.deliveries.length;
  const passengers = objectsAt(body, 'passengers').map(lackingTwice);
  const answer = await taken(t, update({ checkin_id: checkinId, passengers }, { key: hook.key }));
  await t.callbacks.settle({ patienceMs: shortly });
  let poorer = await pushedAsRead(t, hook, { shown: before, from });
  if (poorer?.said.status === 'violated') {
    // One of several events may be late.
    const isOver = await isEnded(t, hook, await t.callbacks.settle());
    poorer = await pushedAsRead(t, hook, { shown: before, from });
    t.assume(isOver || poorer?.said.status !== 'violated', 'more callbacks may still come');
  }
  if (poorer) t.judge([answer, ...poorer.evidence], { 'WCI-CB-020': poorer.said });
}

/** Whether what was pushed since then of a record that lacks information is what is read. */
async function pushedAsRead(t: CheckContext, hook: Hooked, { shown: before, from }: Known) {
  // A cache in front may still have what was read before.
  const isLacking = ({ missing_info: missing }: Shown) => Array.isArray(missing) && missing.length > 0;
  const read = await polled(t, hook, isLacking);
  const after = shownBy(read);
  if (!after) return null;
  const come = eventsOf(hook, from).filter(({ delivery }) => delivery.receivedAt <= read.timings.sentAt);
  const change = withoutText({ before, after, events: come, isOver: true });
  // A late event of the creation tells what was so before.
  const events = change.events.filter((event) => !isIdle(event, change.before));
  const said = events.length === 0 ? holds : agreesWith({ ...change, events });
  return { said, evidence: [read, ...events.map(({ delivery }) => delivery)] };
}

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

/** No event of a record came to the address of another one, to which some of its own did. */
function isSilent(control: Hooked, checkinId: string, why: string): Judgement {
  const { deliveries } = control.address.mailbox;
  const stray = deliveries.find((delivery) => eventOf(delivery)?.checkinId === checkinId);

  const got = is.number(1, 'deliveries', `of ${checkinId}`);
  if (stray) return noneDue('unasked', `of a request ${why}`, got);
  return eventsOf(control).length > 0
    ? holds
    : unclear('the callback of another request did not come either');
}

function bothKeepToTheirOwn(mine: Hooked, theirs: Hooked): Judgement {
  const toThem = isSilent(theirs, mine.record.checkinId, 'of another enterprise');
  return toThem.status === 'holds'
    ? isSilent(mine, theirs.record.checkinId, 'of another enterprise')
    : toThem;
}

/** None of the events says only what had been pushed or shown before. */
function saysNothingAgain(
  subscribed: Shown,
  told: readonly WebhookEvent[],
  shown: Shown,
  events: readonly WebhookEvent[],
): Judgement {
  const known = { ...subscribed, ...shown, ...fold(told) };
  const idle = events.find((event) => !tellsOnlyText(event) && isIdle(event, known));
  if (!idle) return holds;

  return noneDue('idle', 'where nothing changed', is.telling(idle.changes, 'as before'), [idle.delivery]);
}
