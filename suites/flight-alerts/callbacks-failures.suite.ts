import {
  type CheckContext,
  type Delivery,
  type FlightLeg,
  type Route,
  type Waited,
  answerStatus,
  fixed,
  notApplicable,
  noticesOf,
  refusing,
  suite,
} from '../checks.ts';
import { fidOf } from '../support/fids.ts';
import { legOn, put } from '../support/flights.ts';
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

const route: Route = ['DOH', 'SIN'];
const needs = ['public-sink', 'state:flights.put', 'state:flights.change'] as const;
const redirects = [301, 302, 303, 307, 308];

export default suite('Flight alerts: what becomes of a notification that failed', [
  ...onEitherClock({
    id: 'fla.callbacks.redirect',
    title: 'a redirect is not followed',
    verifies: ['FLA-CB-016'],
    run: async (t) => {
      const elsewhere = t.callbacks.open('flight-alerts');
      const registered = await subscriber(t, await newLeg(t));
      const { mailbox } = registered.address;
      const followed = { location: `${elsewhere.url}/followed` };
      // A target that is kept as the new address gets the next change in place of the registered one.
      for (const code of [...redirects, 200]) {
        const isLast = code === 200;
        mailbox.answerWith([answerStatus(code, isLast ? {} : followed), answerStatus(200)]);
        if ((await tellInTime(t, registered)).waited === 'come') continue;
        t.assume(mailbox.count > 0, 'the change that was to be redirected is not notified');
        // What is queued behind it may take as long as the deployment likes: another delivery has to come meanwhile.
        const { isTold } = await tellGate(t, await subscriber(t, await newLeg(t)));
        t.assume(isTold.status === 'holds', 'a plain callback of another leg is not notified either');
        break;
      }
      // Only the check knows that enough came after the redirects.
      const { deliveries } = elsewhere.mailbox;
      t.judge([registered.subscribed, ...deliveriesSince(registered, 0), ...deliveries], {
        'FLA-CB-016': silent(deliveries, 'a request to the target of the redirect'),
      });
    },
  }),

  ...onEitherClock({
    id: 'fla.callbacks.repeated',
    title:
      'a delivery that failed may be repeated, then with the same key and fid, and later changes come all the same',
    verifies: ['FLA-CB-001', 'FLA-CB-020', 'FLA-OPN-003'],
    run: async (t) => {
      // What is kept for a repetition may lose its type.
      const fid = fidOf(t, { kind: 'digits', before: '', after: '', below: '' });
      const failing = await subscriber(t, await newLeg(t), { fid, script: [answerStatus(200)] });
      failing.address.mailbox.answerWith([answerStatus(500), answerStatus(200)]);
      const { gate } = await tellGate(t, failing);
      // If the clock can be moved, another check covers what comes meanwhile.
      if (!movesCallbacks(t)) await changeBehind(t, failing);
      const waited = await waitInTime(t, failing, (come) => ofGate(come, gate).length > 1);
      const later = await tellInTime(t, failing);
      const [first, second] = ofGate(deliveriesSince(failing, 0), gate);
      if (!second) t.judge(failing.subscribed, { 'FLA-CB-020': notApplicable });
      if (first && second) observeRetries(t, failing, first, second);
      else if (waited === 'nothing-pending') t.observe('FLA-OPN-003', 'no-retry', failing.subscribed);
      if (later.waited === 'patience')
        t.skip('what failed is repeated before what comes later, and not as soon as this run waits');
      await isSettled(t);
    },
  }),

  ...onEitherClock({
    id: 'fla.callbacks.gone',
    title: 'after one delivery that was answered 410 later changes are notified',
    verifies: ['FLA-CB-080'],
    run: async (t) => {
      const gone = await subscriber(t, await newLeg(t));
      gone.address.mailbox.answerWith([answerStatus(410), answerStatus(200)]);
      const { gate, deliveries } = await tellGate(t, gone);
      t.assume(ofGate(deliveries, gate).length > 0, 'the change that was to be refused is not notified');
      await waitInTime(t, gone, (come) => ofGate(come, gate).length > 1);
      await tellInTime(t, gone);
      await isSettled(t);
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
      await changeLeg(t, failing.leg, { status: 'delay', departure: { gate } });
      await awaitNotices(t, failing, (arrived) => arrived.length > from);
      await changeBehind(t, failing);
      const schedule = await advanceThroughRetries(t, failing, gate);
      failing.address.mailbox.answerWith([answerStatus(200)]);
      const isRepeated = ofGate(deliveriesSince(failing, 0), gate).length > 1;
      if (!isRepeated) t.judge(failing.subscribed, { 'FLA-CB-020': notApplicable });
      if (isRepeated) t.observe('FLA-OPN-003', 'retries', failing.subscribed, schedule);
      else t.observe('FLA-OPN-003', 'no-retry', failing.subscribed);
      await tellGate(t, failing);
      // Silence is certain after a while only.
      await t.callbacks.wait(failing.address, () => false, { patienceMs: 8_000 });
    },
  }),
]);

interface Failing {
  readonly id: string;
  readonly title: string;
  readonly verifies: readonly string[];
  readonly run: (t: CheckContext) => Promise<void>;
}

/** A check that waits for the clock beside others, and one that moves it, alone. */
function onEitherClock({ id, title, verifies, run }: Failing) {
  const common = { tags: [refusing], verifies };
  return [
    fixed({
      ...{ ...common, id, title, needs },
      run: async (t) => {
        if (movesCallbacks(t)) t.skip('the clock of the deployment moves its callbacks, for another check');
        await run(t);
      },
    }),
    fixed({
      ...{ ...common, id: `${id}-moved`, title: `${title}, as time is moved on` },
      needs: [...needs, 'state:clock.advance'],
      exclusive: true,
      run: async (t) => {
        if (!movesCallbacks(t)) t.skip('the clock of the deployment does not move its callbacks');
        await run(t);
      },
    }),
  ];
}

async function newLeg(t: CheckContext): Promise<FlightLeg> {
  return legOn(await put(t, [{ route }]), route);
}

function ofGate(deliveries: readonly Delivery[], gate: string): readonly Delivery[] {
  return deliveries.filter((delivery) => noticesOf([delivery]).some(tellsGate(gate)));
}

/** Two changes while an earlier one is to be repeated. */
async function changeBehind(t: CheckContext, { leg }: Subscriber): Promise<void> {
  await changeLeg(t, leg, { departure: { terminal: `T${newGate(t)}` } });
  await changeLeg(t, leg, { departure: { gate: newGate(t) } });
}

function movesCallbacks(t: CheckContext): boolean {
  return t.state.offers('clock.advance') && t.state.clock.has('callbacks');
}

/** Changes a gate and waits until its subscriber is notified. */
async function tellInTime(
  t: CheckContext,
  registered: Subscriber,
): Promise<{ readonly gate: string; readonly waited: Waited }> {
  const [gate, count] = [newGate(t), countOf(registered)];
  await changeLeg(t, registered.leg, { departure: { gate } });
  const isTold = (come: readonly Delivery[]) => noticesOf(come.slice(count)).some(tellsGate(gate));
  return { gate, waited: await waitInTime(t, registered, isTold) };
}

/**
 * Waits for deliveries. A queue that keeps the order holds others back until what failed before is repeated, by a clock of its own: where
 * that can be moved, it is.
 */
async function waitInTime(
  t: CheckContext,
  { address }: Subscriber,
  isEnough: (come: readonly Delivery[]) => boolean,
): Promise<Waited> {
  for (const seconds of movesCallbacks(t) ? advances : []) {
    const waited = await t.callbacks.wait(address, isEnough, { patienceMs: t.grace(1000) });
    if (waited === 'come') return waited;
    if (waited === 'nothing-pending') break;
    await t.state.set('clock.advance', { seconds });
  }
  return t.callbacks.wait(address, isEnough);
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
