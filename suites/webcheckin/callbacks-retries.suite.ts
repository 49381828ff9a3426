import {
  type CheckContext,
  type Delivery,
  type Judgements,
  type Script,
  answerStatus,
  eventOf,
  fixed,
  heaviest,
  holds,
  suite,
} from '../checks.ts';
import {
  type PassingTime,
  advancing,
  isPending,
  nowThere,
  passUntil,
  waiting,
} from '../support/passingTime.ts';
import { isEnded, progress } from '../support/movements.ts';
import {
  apartSeconds,
  changeWhileRetried,
  endsNothing,
  isTaken,
  judgeLater,
  keepsFields,
  lostOf,
  losesNone,
  ofFirstTime,
  ownOf,
  toldAsLate,
} from '../support/queuedChanges.ts';
import {
  type Made,
  Schedule,
  firstEvent,
  isRepeated,
  isTriedAgain,
  notRepeated,
  sameBodies,
  toldWhen,
} from '../support/retries.ts';
import { untilTick } from '../support/clocks.ts';
import { type Hooked, hooked } from '../support/webhooks.ts';

const verifies = [
  ...['WCI-CB-011', 'WCI-CB-016', 'WCI-CB-017', 'WCI-CB-018', 'WCI-CB-019', 'WCI-CB-021', 'WCI-CB-080'],
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
  /** Its first event is answered 410, and others follow at once, while it is to be repeated. */
  readonly overtaken: Hooked;
  /** The same, after the connection was reset. */
  readonly cutOff: Hooked;
  /** The same, after 503 and some time. */
  readonly delayed: Hooked;
  /** Reset, closed before it is read, and answered 201 then. */
  readonly lost: Hooked;
  readonly redirected: Hooked;
  /** Answered 300 without a Location, the first answer beyond 2xx, and then 429. */
  readonly beyond: Hooked;
  /** Answered 201, 202 and 204. */
  readonly accepted: Hooked;
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
  const [cutOff, delayed] = [await hooked(t), await hooked(t)];
  const stage: Setup = { refused, overtaken, cutOff, delayed, lost, redirected, beyond, accepted };
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

  const pause = () => time.pass(apartSeconds);
  const made = await provoke(t, { stage, since }, { elsewhere: elsewhere.url, pause });
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
  await judge(t, { stage, since: soFar }, { made, isOver, followed, isManual });
}

/** The records, and what came for each since the changes began. */
interface Played {
  readonly stage: Setup;
  readonly since: (hook: Hooked) => readonly Delivery[];
}

interface Outcome {
  readonly made: Provoked;
  readonly isOver: boolean;
  readonly followed: boolean;
  /** Whether no automation moved records meanwhile. */
  readonly isManual: boolean;
}

/** When the change of the refused record was made, and the later ones of the delayed one. */
interface Provoked {
  readonly refused: Made;
  readonly delayed: Made;
}

interface Circumstances {
  readonly elsewhere: string;
  readonly pause: () => Promise<unknown>;
}

/** Makes the changes whose deliveries fail in several ways. */
async function provoke(
  t: CheckContext,
  { stage, since }: Played,
  { elsewhere, pause }: Circumstances,
): Promise<Provoked> {
  const { refused, overtaken, cutOff, delayed, lost, redirected, beyond, accepted } = stage;
  const now = () => nowThere(t);
  const madeLate = await changeWhileRetried(t, delayed, { script: [answerStatus(503)], pause, now });
  const atOnce = { pause: () => untilTick(t, null), now };
  await changeWhileRetried(t, overtaken, { ...atOnce, script: [answerStatus(410), answerStatus(202)] });
  await changeWhileRetried(t, cutOff, { ...atOnce, script: [{ kind: 'reset' }, answerStatus(202)] });
  const come = (hook: Hooked, count: number) =>
    t.callbacks.wait(hook.address, () => since(hook).length >= count, { patienceMs: 15_000 });
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
  refused.address.mailbox.answerWith([answerStatus(503)]);
  const after = await nowThere(t);
  await progress(t, refused, { status: 'IN_PROGRESS' });
  const before = await nowThere(t);
  for (const hook of [lost, redirected, beyond, refused]) await come(hook, 1);
  return { refused: { after, before }, delayed: madeLate };
}

async function judge(t: CheckContext, { stage, since }: Played, outcome: Outcome): Promise<void> {
  const { isOver, followed } = outcome;
  const { refused, overtaken, cutOff, delayed, lost, redirected, beyond, accepted } = stage;
  // Where a redirect is followed, the delivery ended well elsewhere.
  const failing = [refused, overtaken, cutOff, delayed, lost, beyond, ...(followed ? [] : [redirected])];
  const failed = failing.map(since);
  // Of the others a later event may have the time of the first.
  const alone = [delayed, lost, beyond, redirected].map(since);
  const [repeated, late] = [since(overtaken), since(lost)].map((come) => come.filter(isTaken));
  t.judge([accepted, overtaken, lost].flatMap(since), {
    'WCI-CB-016': heaviest([since(accepted), repeated ?? [], late ?? []].map(notRepeated)),
  });
  const events = await judgeEvents(t, { stage, since }, outcome);
  const othersAre = failed.some((come) => firstEvent(come).length > 1);
  const throttled =
    isOver && t.callbacks.tellsPending
      ? isTriedAgain(firstEvent(since(beyond)), since(refused).length)
      : null;
  const repetition = {
    'WCI-CB-017': heaviest([
      ...failed.map((come) => isRepeated({ come, othersAre, isOver })),
      ...(throttled ? [throttled] : []),
    ]),
    'WCI-CB-018': heaviest([since(refused), ...alone.map(ofFirstTime)].map(sameBodies)),
  };
  t.judge([accepted, ...failing].flatMap(since), { ...events, ...(othersAre ? repetition : {}) });
  if (!othersAre) t.skip('no failed delivery was repeated');
}

/** No event is lost or altered by what is to be repeated, its own delivery or another one. */
async function judgeEvents(
  t: CheckContext,
  { stage, since }: Played,
  { made, isOver, isManual }: Outcome,
): Promise<Judgements> {
  const { refused, overtaken, cutOff, delayed, lost, beyond, accepted } = stage;
  const queued = [overtaken, cutOff, delayed];
  const own = (hook: Hooked) => ownOf(hook, since(hook));
  const lostBy = (hook: Hooked) => lostOf(own(hook), own(accepted));
  const losing = queued.find((hook) => lostBy(hook) !== null);
  // Without a later event that has come, the lost one may still come.
  const waited = t.callbacks.tellsPending ? 'nothing-pending' : 'patience';
  const isSure = isOver && losing !== undefined && (await isEnded(t, losing, waited));
  const late = isManual ? toldAsLate(own(delayed), made.delayed) : holds;
  // Where one change is told in several events, one of them may have been given up.
  const isWhole = since(accepted).every((delivery) => eventOf(delivery)?.changes.status !== undefined);
  const whole = isWhole ? [refused, delayed, lost, beyond] : [];
  return {
    'WCI-CB-011': heaviest(whole.map((hook) => keepsFields(own(hook)))),
    'WCI-CB-019': heaviest([toldWhen(since(refused), made.refused), late]),
    'WCI-CB-021': heaviest(queued.map((hook) => losesNone(own(hook), lostBy(hook), isSure))),
    ...(isOver && t.callbacks.tellsPending
      ? { 'WCI-CB-080': endsNothing(own(overtaken), own(accepted)) }
      : {}),
  };
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
