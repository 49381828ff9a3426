import {
  type CheckContext,
  type Delivery,
  type Script,
  answerStatus,
  eventOf,
  fixed,
  heaviest,
  holds,
  suite,
  unclear,
  violated,
} from '../checks.ts';
import { type PassingTime, advancing, passUntil, waiting } from '../support/passingTime.ts';
import { Schedule, isRepeated, isTriedAgain, notRepeated, sameBodies, toldWhen } from '../support/retries.ts';
import { progress } from '../support/movements.ts';
import { type Hooked, hooked } from '../support/webhooks.ts';

const verifies = [
  ...['WCI-CB-016', 'WCI-CB-017', 'WCI-CB-018', 'WCI-CB-019', 'WCI-CB-080'],
  ...['WCI-OPN-012', 'WCI-OPN-039', 'WCI-OPN-058'],
];
const common = { uses: ['complete-record'] } as const;

export default suite('Events: success, failure and repetition', [
  fixed({
    ...common,
    id: 'wci.callbacks.retries',
    title: 'what becomes of a delivery that is accepted, refused, redirected or lost, as time is moved on',
    verifies,
    needs: ['sink', 'state:checkin.progress', 'state:clock.advance'],
    exclusive: true,
    run: async (t) => {
      if (!t.state.clock.has('callbacks')) t.skip('the state handler does not move the callbacks');
      await judgeRepetition(t, advancing(t), t.state.offers('automation.set'));
    },
  }),

  fixed({
    ...common,
    id: 'wci.callbacks.retries-awaited',
    title: 'what becomes of a delivery that is accepted, refused, redirected or lost, as time goes by',
    verifies,
    needs: ['sink', 'state:checkin.progress', 'real-time'],
    run: async (t) => {
      const moves = t.state.offers('clock.advance') && t.state.clock.has('callbacks');
      if (moves) t.skip('the state handler moves the clock of callbacks, so that no real waiting is needed');
      await judgeRepetition(t, waiting(t), false);
    },
  }),
]);

const accepts: Script = [answerStatus(200)];

/** The records whose deliveries are answered in different ways. */
interface Setup {
  /** Refused for ever: shows the whole schedule. */
  readonly refused: Hooked;
  /** Its first event is answered 404 once and then 202, and a second one follows while that is to be repeated. */
  readonly overtaken: Hooked;
  /** Reset, closed before it is read, and answered 201 then. */
  readonly lost: Hooked;
  readonly redirected: Hooked;
  /** Answered 300 without a Location, the first answer beyond 2xx, and then 429. */
  readonly beyond: Hooked;
  /** Answered 201, 202 and 204. */
  readonly accepted: Hooked;
}

/** A change that was made, by the clock of the deployment. */
interface Made {
  readonly after: number;
  readonly before: number;
}

async function judgeRepetition(t: CheckContext, time: PassingTime, isManual: boolean): Promise<void> {
  if (isManual) await t.state.set('automation.set', { mode: 'manual' });
  try {
    await repeatAll(t, time, isManual);
  } finally {
    if (isManual) await t.state.set('automation.set', { mode: 'auto' });
  }
}

async function repeatAll(t: CheckContext, time: PassingTime, isManual: boolean): Promise<void> {
  const [refused, overtaken, lost] = [await hooked(t), await hooked(t), await hooked(t)];
  const [redirected, beyond, accepted] = [await hooked(t), await hooked(t), await hooked(t)];
  const stage: Setup = { refused, overtaken, lost, redirected, beyond, accepted };
  const elsewhere = t.callbacks.open('webcheckin');
  // A creation may be pushed; what follows is the events of changes alone.
  await t.callbacks.settle({ patienceMs: 5_000 });
  // So that the time of a change is not that of the creation.
  await time.pass(10);
  const from = new Map(Object.values(stage).map((hook: Hooked) => [hook, countOf(hook)]));
  const since = (hook: Hooked) => {
    const come = hook.address.mailbox.deliveries.slice(from.get(hook));
    // The automation may move what was moved to IN_PROGRESS, which is another event.
    return hook === refused && !isManual ? firstEvent(come) : come;
  };

  const made = await provoke(t, { stage, since }, elsewhere.url);
  const schedule = new Schedule(await nowThere(t));
  let passed = 0;
  await passUntil(
    time,
    async () => since(refused).length > 0 && t.callbacks.tellsPending && !(await isPending(t)),
    (now) => {
      schedule.look(now, since(refused).length);
      passed = now;
    },
  );
  for (const { address } of Object.values(stage) as Hooked[]) address.mailbox.answerWith(accepts);
  // A queue that takes one delivery after the other is still at it when its clock has been moved on.
  const isOver = t.callbacks.tellsPending ? !(await isPending(t)) : passed > 0;
  const followed = elsewhere.mailbox.count > 0;
  // Without what is told of a later change.
  const come = new Map([...from.keys()].map((hook) => [hook, since(hook)]));
  const soFar = (hook: Hooked) => come.get(hook) ?? [];
  observe(t, { stage, since: soFar }, { schedule, followed });
  // Unless the automation has completed it meanwhile, or completion is told to nobody.
  const isToldElsewhere = soFar(accepted).length > 2;
  if (isManual && soFar(refused).length > 0 && isToldElsewhere) await judgeLater(t, refused);
  judge(t, { stage, since: soFar }, { made, isOver, followed });
}

/** The records, and what came for each since the changes began. */
interface Played {
  readonly stage: Setup;
  readonly since: (hook: Hooked) => readonly Delivery[];
}

interface Outcome {
  readonly made: Made;
  readonly isOver: boolean;
  readonly followed: boolean;
}

/** Makes the changes whose deliveries fail in several ways; the change of the refused one is timed. */
async function provoke(t: CheckContext, { stage, since }: Played, elsewhere: string): Promise<Made> {
  const { refused, overtaken, lost, redirected, beyond, accepted } = stage;
  const come = (hook: Hooked, count: number) =>
    t.callbacks.wait(hook.address, () => since(hook).length >= count, { patienceMs: 15_000 });
  overtaken.address.mailbox.answerWith([answerStatus(404), answerStatus(202)]);
  await progress(t, overtaken, { status: 'IN_PROGRESS' });
  lost.address.mailbox.answerWith([{ kind: 'reset' }, { kind: 'close-early' }, answerStatus(201)]);
  await progress(t, lost, { status: 'IN_PROGRESS' });
  redirected.address.mailbox.answerWith([answerStatus(307, { location: elsewhere }), answerStatus(200)]);
  await progress(t, redirected, { status: 'IN_PROGRESS' });
  beyond.address.mailbox.answerWith([answerStatus(300), answerStatus(429), answerStatus(200)]);
  await progress(t, beyond, { status: 'IN_PROGRESS' });
  let count = 0;
  for (const [code, status] of [
    [201, 'IN_PROGRESS'],
    [202, 'FAILED'],
    [204, 'COMPLETED'],
  ] as const) {
    accepted.address.mailbox.answerWith([answerStatus(code)]);
    await progress(t, accepted, { status });
    await come(accepted, (count += 1));
  }
  await come(overtaken, 1);
  await progress(t, overtaken, { status: 'COMPLETED' });
  refused.address.mailbox.answerWith([answerStatus(503)]);
  const after = await nowThere(t);
  await progress(t, refused, { status: 'IN_PROGRESS' });
  const before = await nowThere(t);
  for (const hook of [lost, redirected, beyond, refused]) await come(hook, 1);
  return { after, before };
}

function judge(t: CheckContext, { stage, since }: Played, { made, isOver, followed }: Outcome): void {
  const { refused, overtaken, lost, redirected, beyond, accepted } = stage;
  const failed = [
    since(refused),
    firstEvent(since(overtaken)),
    since(lost),
    firstEvent(since(beyond)),
    // Where a redirect is followed, the delivery ended well elsewhere.
    ...(followed ? [] : [firstEvent(since(redirected))]),
  ];
  const throttled =
    isOver && t.callbacks.tellsPending ? isTriedAgain(failed[3] ?? [], since(refused).length) : null;
  const othersAre = failed.some(({ length }) => length > 1);
  t.judge(since(refused), { 'WCI-CB-019': toldWhen(since(refused), made) });
  const [repeated, late] = [since(overtaken), since(lost)].map((come) => come.filter(wasTaken));
  t.judge([accepted, overtaken, lost].flatMap(since), {
    'WCI-CB-016': heaviest([since(accepted), repeated ?? [], late ?? []].map(notRepeated)),
  });
  if (!othersAre) t.skip('no failed delivery was repeated');
  t.judge(failed.flat(), {
    'WCI-CB-017': heaviest([
      ...failed.map((deliveries) => isRepeated(deliveries, othersAre, isOver)),
      ...(throttled ? [throttled] : []),
    ]),
    'WCI-CB-018': sameBodies(since(refused)),
  });
}

function wasTaken({ answer }: Delivery): boolean {
  return answer.startsWith('2');
}

/** A webhook whose deliveries failed is told what happens later; how is a matter of other rules. */
async function judgeLater(t: CheckContext, hook: Hooked): Promise<void> {
  const { address, record } = hook;
  const from = countOf(hook);
  await progress(t, hook, { status: 'COMPLETED' });
  const waited = await t.callbacks.wait(address, () => countOf(hook) > from);
  const isNever = waited === 'nothing-pending';
  const silence = isNever
    ? violated('silence', 'an event with status COMPLETED, after the ones that failed', 'none')
    : unclear('it may still come');
  t.judge([record.subscribed, ...address.mailbox.deliveries], {
    'WCI-CB-080': waited === 'come' ? holds : silence,
  });
}

/** The deliveries of the event that came first. */
function firstEvent(deliveries: readonly Delivery[]): readonly Delivery[] {
  const statusOf = (delivery: Delivery) => eventOf(delivery)?.changes.status;
  const [first] = deliveries;
  if (!first) return [];
  return deliveries.filter((one) => [statusOf(first), undefined].includes(statusOf(one)));
}

function observe(
  t: CheckContext,
  { stage: { refused, overtaken, redirected }, since }: Played,
  { schedule, followed }: { readonly schedule: Schedule; readonly followed: boolean },
): void {
  const repeated = since(refused).length > 1;
  if (repeated) t.observe('WCI-OPN-012', 'retries', undefined, `after ${schedule.describe()}`);
  else if (since(refused).length > 0) t.observe('WCI-OPN-012', 'no-retry');
  if (since(redirected).length > 0) t.observe('WCI-OPN-039', followed ? 'followed' : 'not-followed');
  const statuses = since(overtaken).map((delivery) => eventOf(delivery)?.changes.status);
  const overtook = statuses.indexOf('COMPLETED');
  if (overtook < 0) return;
  const isOvertaken = statuses.lastIndexOf('IN_PROGRESS') > overtook;
  t.observe('WCI-OPN-058', isOvertaken ? 'any-order' : 'in-order');
}

function countOf({ address }: Hooked): number {
  return address.mailbox.deliveries.length;
}

async function nowThere(t: CheckContext): Promise<number> {
  if (!t.state.offers('clock.advance')) return t.now();
  const { now } = await t.state.set('capabilities', {});
  return typeof now === 'string' ? Date.parse(now) : t.now();
}

async function isPending(t: CheckContext): Promise<boolean> {
  return (await t.state.set('callbacks.pending', {})).pending !== 0;
}
