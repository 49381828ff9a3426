import { notOnce } from '../support/retries.ts';
import {
  type CheckContext,
  type Delivery,
  type FlightLeg,
  type Judgement,
  type Route,
  all,
  answerStatus,
  answered,
  found,
  fixed,
  holds,
  judgeFid,
  judgeSupplied,
  invalid,
  isAtAddress,
  notApplicable,
  noticesOf,
  property,
  refusing,
  suite,
  differs,
  is,
} from '../checks.ts';
import { type CallbackForm, anyCallbackForm, callbackForms, fidOf } from '../support/fids.ts';
import { legOn, put, subscribeTo } from '../support/flights.ts';
import {
  type Subscriber,
  awaitNotices,
  changeLeg,
  countOf,
  deliveriesSince,
  isSettled,
  newGate,
  silent,
  subscriber,
  tellGate,
  tellsGate,
} from '../support/notices.ts';
import { changeBehind, losesNone, repeats, repeatsFields } from '../support/queuedNotices.ts';
import { unlessUnclear } from '../support/unlessUnclear.ts';

const route: Route = ['DOH', 'SIN'];
const needs = ['public-sink', 'state:flights.put', 'state:flights.change'] as const;
const redirects = [301, 302, 303, 307, 308];

export default suite('Flight alerts: how notifications are delivered', [
  fixed({
    id: 'fla.callbacks.echo',
    title: 'a fid is echoed exactly, at exactly the registered URL, whatever they look like',
    verifies: ['FLA-CB-001', 'FLA-CB-006', 'FLA-CB-030'],
    needs,
    run: (t) => t.each(callbackForms, (form) => echo(t, form)),
  }),

  property({
    id: 'fla.callbacks.any',
    title: 'every allowed fid is echoed exactly, at every allowed URL',
    verifies: ['FLA-CB-001', 'FLA-CB-006', 'FLA-CB-030'],
    needs,
    maxCases: 8,
    run: (t) => t.forAll('a callback', anyCallbackForm, (form) => echo(t, form)),
  }),

  fixed({
    id: 'fla.callbacks.supplied',
    title: 'an auth_header that is supplied against the rules is not used for delivery',
    verifies: ['FLA-CBR-016'],
    // A deployment that refuses it, as the reference does, keeps no subscription.
    needs: [...needs, 'writes', 'subscriptions'],
    run: async (t) => {
      const leg = await newLeg(t);
      const auth = t.identities.authHeader();
      const address = t.callbacks.open('flight-alerts');
      const callback = { fid: t.identities.fid(), callbackUrl: `${address.url}/changes` };
      const subscribed = await subscribeTo(t, leg, { ...callback, auth_header: auth });
      if (answered(subscribed, invalid).status === 'holds') {
        t.judge(subscribed, { 'FLA-CBR-016': notApplicable });
        return;
      }
      t.assume(answered(subscribed, { status: 200 }).status === 'holds', `${subscribed.id}: no callback`);
      const told = await tellGate(t, { leg, address, callback, key: undefined, subscribed });
      t.assume(told.deliveries.length > 0, 'its change is not notified');
      t.judge([subscribed, ...told.deliveries], {
        ...found((findings) => {
          for (const delivery of told.deliveries) judgeSupplied(delivery, [auth], findings);
        }),
      });
    },
  }),

  fixed({
    id: 'fla.callbacks.redirect',
    title: 'a redirect is not followed',
    verifies: ['FLA-CB-016'],
    tags: [refusing],
    needs,
    run: async (t) => {
      const elsewhere = t.callbacks.open('flight-alerts');
      const registered = await subscriber(t, await newLeg(t));
      const judgeSilence = () => {
        const { deliveries } = elsewhere.mailbox;
        t.judge([registered.subscribed, ...deliveriesSince(registered, 0), ...deliveries], {
          'FLA-CB-016': silent(deliveries, 'a request to the target of the redirect'),
        });
      };
      for (const code of redirects) {
        const { mailbox } = registered.address;
        mailbox.answerWith([
          answerStatus(code, { location: `${elsewhere.url}/followed` }),
          answerStatus(200),
        ]);
        const { isTold } = await tellGate(t, registered);
        // A target that is kept as the new address gets the next change in place of the registered one.
        if (isTold.status !== 'holds') judgeSilence();
        t.assume(isTold.status === 'holds', 'the change that was to be redirected is not notified');
      }
      registered.address.mailbox.answerWith([answerStatus(200)]);
      const later = await tellGate(t, registered);
      if (later.isTold.status !== 'holds') judgeSilence();
      t.assume(later.isTold.status === 'holds', 'after redirects no further change is notified');
      judgeSilence();
    },
  }),

  fixed({
    id: 'fla.callbacks.repeated',
    title:
      'a delivery that failed may be repeated, then with the same key and fid, and later changes come all the same',
    verifies: ['FLA-CB-001', 'FLA-CB-020', 'FLA-OPN-003'],
    tags: [refusing],
    needs,
    run: async (t) => {
      // What is kept for a repetition may lose its type.
      const fid = fidOf(t, { kind: 'digits', before: '', after: '', below: '' });
      const failing = await subscriber(t, await newLeg(t), { fid, script: [answerStatus(200)] });
      failing.address.mailbox.answerWith([answerStatus(500), answerStatus(200)]);
      const { gate, isTold } = await tellGate(t, failing);
      t.assume(isTold.status === 'holds', 'the change that was to fail is not notified');
      // If the clock can be moved, another check covers the whole schedule, and this one does not wait for it.
      const waited = movesCallbacks(t)
        ? 'patience'
        : await t.callbacks.wait(failing.address, (arrived) => ofGate(arrived, gate).length > 1);
      const deliveries = ofGate(deliveriesSince(failing, 0), gate);
      const [first, second] = deliveries;
      if (first) judgeEmpty(t, failing, first);
      if (first && second) {
        observeRetries(t, failing, first, second);
        t.judge([failing.subscribed, ...deliveries], { 'FLA-CB-020': repeats(first, second) });
      } else if (waited === 'nothing-pending') t.observe('FLA-OPN-003', 'no-retry', failing.subscribed);
      const later = await tellGate(t, failing);
      t.judge([failing.subscribed, ...deliveriesSince(failing, 0)], { 'FLA-CB-001': later.isTold });
      if (!second) t.judge([failing.subscribed, ...deliveries], { 'FLA-CB-020': notApplicable });
    },
  }),

  fixed({
    id: 'fla.callbacks.habit',
    title: 'of several notifications that were taken not each one comes twice',
    verifies: ['FLA-CB-031'],
    needs,
    run: async (t) => {
      const told = await subscriber(t, await newLeg(t));
      const gates: string[] = [];
      for (let count = 0; count < habit; count += 1) {
        const { gate, isTold } = await tellGate(t, told);
        t.assume(isTold.status === 'holds', 'a change was not notified');
        gates.push(gate);
      }
      await isSettled(t);
      const deliveries = deliveriesSince(told, 0);
      t.judge([told.subscribed, ...deliveries], { 'FLA-CB-031': repeatedByHabit(deliveries, gates) });
    },
  }),

  fixed({
    id: 'fla.callbacks.schedule',
    title:
      'while deliveries fail they are repeated on the schedule of the deployment, with the same key and fid, and later changes come',
    verifies: ['FLA-CB-001', 'FLA-CB-009', 'FLA-CB-020', 'FLA-CB-080', 'FLA-OPN-003'],
    needs: [...needs, 'state:clock.advance'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('callbacks')) t.skip('the clock of the deployment does not move its callbacks');
      const fid = fidOf(t, { kind: 'text', before: ' caf\u00e9 <&> ', after: ' ', below: '' });
      const failing = await subscriber(t, await newLeg(t), { fid });
      // A first notification with the current values may come late.
      await isSettled(t);
      failing.address.mailbox.answerWith([answerStatus(503)]);
      const [gate, from] = [newGate(t), countOf(failing)];
      const changes = { status: 'delay', departure: { gate } };
      await changeLeg(t, failing.leg, changes);
      await awaitNotices(t, failing, (arrived) => arrived.length > from);
      const behind = await changeBehind(t, failing);
      const schedule = await advanceThroughRetries(t, failing, gate);
      failing.address.mailbox.answerWith([answerStatus(200)]);
      const deliveries = ofGate(deliveriesSince(failing, 0), gate);
      const [first, ...rest] = deliveries;
      t.assume(first !== undefined, 'the change that was to fail is not notified');
      if (first) judgeEmpty(t, failing, first);
      if (rest.length === 0) t.observe('FLA-OPN-003', 'no-retry', failing.subscribed);
      else t.observe('FLA-OPN-003', 'retries', failing.subscribed, schedule);
      const isRepeated =
        first === undefined || rest.length === 0
          ? notApplicable
          : all(...rest.map((delivery) => repeats(first, delivery)));
      t.judge([failing.subscribed, ...deliveries], {
        'FLA-CB-009': repeatsFields(deliveriesSince(failing, from), changes),
        'FLA-CB-020': isRepeated,
      });
      const later = await tellGate(t, failing);
      const come = deliveriesSince(failing, 0);
      t.judge([failing.subscribed, ...come], { 'FLA-CB-080': later.isTold });
      // What is still to be repeated may be this.
      const isSure = !t.callbacks.tellsPending || (await isSettled(t));
      const told = losesNone(come, behind, later.gate);
      t.judge([failing.subscribed, ...come], { 'FLA-CB-001': isSure ? told : later.isTold });
    },
  }),
]);

async function newLeg(t: CheckContext): Promise<FlightLeg> {
  return legOn(await put(t, [{ route }]), route);
}

async function echo(t: CheckContext, form: CallbackForm): Promise<void> {
  const fid = fidOf(t, form);
  const registering = subscriber(t, await newLeg(t), { fid, below: form.below });
  // No length of a callbackUrl is stated, and a deployment may limit it.
  const registered = await (form.below.length > 200 ? unlessUnclear(registering) : registering);
  if (!registered) return;
  const { deliveries, isTold } = await tellGate(t, registered);
  const { callbackUrl } = registered.callback;
  const fids = noticesOf(deliveries).flatMap((notice) => (notice.fid === undefined ? [] : [notice.fid]));
  t.judge([registered.subscribed, ...deliveries], {
    'FLA-CB-001': isTold,
    ...found((findings) => {
      for (const one of fids) judgeFid(one, [{ fid }], findings);
    }),
    'FLA-CB-030': all(...deliveries.map((delivery) => isAtAddress(delivery, [callbackUrl]))),
  });
}

function ofGate(deliveries: readonly Delivery[], gate: string): readonly Delivery[] {
  return deliveries.filter((delivery) => noticesOf([delivery]).some(tellsGate(gate)));
}

/** Consecutive changes that are all notified twice, which is no coincidence. */
const habit = 3;

function repeatedByHabit(deliveries: readonly Delivery[], gates: readonly string[]): Judgement {
  const taken = deliveries.filter(({ answer }) => answer.startsWith('2'));
  const isSeldom = gates.some((gate) => ofGate(taken, gate).length < 2);
  if (isSeldom) return holds;
  return notOnce(gates.length, 'changes');
}

/** What comes again after a failed delivery, and tells nothing, is no repetition of it that a partner could use. */
function judgeEmpty(t: CheckContext, failing: Subscriber, first: Delivery): void {
  const all = deliveriesSince(failing, 0);
  const later = all.slice(all.indexOf(first) + 1);
  const empty = later.find((one) =>
    noticesOf([one]).some(({ changes }) => Object.keys(changes).length === 0),
  );
  if (empty)
    t.judge([failing.subscribed, first, empty], {
      'FLA-CB-020': differs('empty', 'changes', is.whose('the delivery that failed'), is.value({})),
    });
}

function movesCallbacks(t: CheckContext): boolean {
  return t.state.offers('clock.advance') && t.state.clock.has('callbacks');
}

/** If the clock can be moved, a separate check measures the whole schedule. */
function observeRetries(t: CheckContext, failing: Subscriber, first: Delivery, second: Delivery): void {
  if (movesCallbacks(t)) return;
  const seconds = Math.round((second.startedAt - first.receivedAt) / 100) / 10;
  t.observe('FLA-OPN-003', 'retries', failing.subscribed, `the first after ${seconds} s`);
}

/** Seconds by which the clock is moved, step by step; an hour and a half in total. */
const advances = [2, 3, 5, 10, 10, 30, 60, 120, 240, 600, 1200, 3600];

/** Moves the clock as long as something is to be repeated, and returns when each repetition came. */
async function advanceThroughRetries(t: CheckContext, failing: Subscriber, gate: string): Promise<string> {
  const repeated: string[] = [];
  let elapsed = 0;
  for (const seconds of advances) {
    const before = ofGate(deliveriesSince(failing, 0), gate).length;
    await t.state.set('clock.advance', { seconds });
    await t.callbacks.wait(failing.address, (arrived) => ofGate(arrived, gate).length > before, {
      patienceMs: t.grace(300),
    });
    const came = ofGate(deliveriesSince(failing, 0), gate).length - before;
    if (came > 0) repeated.push(`${came} within ${elapsed} to ${elapsed + seconds} s`);
    elapsed += seconds;
  }
  // Further repetitions are accepted at last, so that nothing stays pending.
  failing.address.mailbox.answerWith([answerStatus(200)]);
  const left = countOf(failing);
  await t.state.set('clock.advance', { seconds: 3600 });
  if (countOf(failing) > left) repeated.push('and later');
  return repeated.join(', ');
}
