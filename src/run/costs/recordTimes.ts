import { VirtualClock } from '../../core/virtualClock.ts';
import { openRun, type OpenRun } from '../../engine/session/openRun.ts';
import { runningOrder } from '../../engine/session/order.ts';
import { Session } from '../../engine/session/session.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import type { CheckTime, Recorded, RecordedChecks } from '../../plan/recorded.ts';
import { Inbox, tokensFrom } from '../../receive/inbox.ts';
import { documentedPolicy, type Policy } from '../../reference/policy.ts';
import { noJournal } from '../../send/journal.ts';
import { inProcessSink, openInProcessTarget } from '../../target/embedded.ts';
import { planOpen } from '../planRun.ts';
import { amply } from './recordCosts.ts';
import { slowTarget } from './slowTarget.ts';

/** How long an answer and a delivery take while checks are timed. */
interface Pace {
  readonly answerMs: number;
  readonly deliveryMs: number;
}

const quick: Pace = { answerMs: 0, deliveryMs: 0 };
const slowMs = 1000;
/** As late as deliveries may come without counting as lost. */
const lateMs = 2000;

/** What each check waits for, in virtual time: measured by how much longer it takes if answers or deliveries take longer. */
export async function recordTimes(checks: readonly EngineCheck[]): Promise<RecordedChecks<CheckTime>> {
  const active = withoutOracles(checks);
  const byForm: (readonly [string, CheckTime])[][] = [];
  for (const further of [0, 1, 2]) byForm.push(await timesWith(further, active));
  const [least, more, evenMore] = byForm.map((times) => new Map(times));
  const rows = active.map(({ id, cases: { minCases, maxCases } }) => {
    const of = (form: ReadonlyMap<string, CheckTime> | undefined) => form?.get(id) ?? noTime;
    const forms = maxCases - minCases;
    const recorded: Recorded<CheckTime> = {
      least: brief(of(least)),
      ...(forms > 0 ? { more: brief(of(more)) } : {}),
      ...(forms > 1 ? { each: brief(minus(of(evenMore), of(more))) } : {}),
    };
    return [id, recorded] as const;
  });
  return Object.fromEntries(rows.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The earlier row of each check that takes as long but for one answer or delivery: so much differs from one recording to the next. */
export function steadied(
  before: RecordedChecks<CheckTime>,
  after: RecordedChecks<CheckTime>,
): RecordedChecks<CheckTime> {
  return Object.fromEntries(
    Object.entries(after).map(([id, is]) => {
      const was = before[id];
      return [id, was && isAsLong(was, is) ? was : is];
    }),
  );
}

function isAsLong(was: Recorded<CheckTime>, is: Recorded<CheckTime>): boolean {
  return (['least', 'more', 'each'] as const).every((form) => {
    const [before, after] = [was[form], is[form]];
    if (!before || !after) return before === after;
    const by = (part: keyof CheckTime) => Math.abs((before[part] ?? 0) - (after[part] ?? 0));
    return by('turns') <= 1 && by('waits') <= 1 && by('restMs') <= slowMs;
  });
}

/** What all checks wait for together with their fewest cases. */
export async function leastTimes(
  checks: readonly EngineCheck[],
): Promise<Pick<CheckTime, 'turns' | 'waits'>> {
  const times = await timesWith(0, withoutOracles(checks));
  const sum = (part: 'turns' | 'waits') => times.reduce((total, [, time]) => total + time[part], 0);
  return { turns: sum('turns'), waits: sum('waits') };
}

function withoutOracles(checks: readonly EngineCheck[]): readonly EngineCheck[] {
  return checks.filter(({ kind }) => kind !== 'passive');
}

const noTime: CheckTime = { turns: 0, waits: 0, restMs: 0 };

async function timesWith(
  further: number,
  checks: readonly EngineCheck[],
): Promise<(readonly [string, CheckTime])[]> {
  const [rest, slow, late] = [
    await durations(further, checks, quick),
    await durations(further, checks, { ...quick, answerMs: slowMs }),
    await durations(further, checks, { ...quick, deliveryMs: lateMs }),
  ];
  return checks.map(({ id }) => {
    const restMs = rest.get(id) ?? 0;
    const more = (by: ReadonlyMap<string, number>, unit: number) =>
      Math.max(0, Math.round((by.get(id) ?? 0) - restMs) / unit);
    return [id, { restMs, turns: round(more(slow, slowMs)), waits: round(more(late, lateMs)) }];
  });
}

/** How long each check takes if it runs alone, in milliseconds. */
async function durations(
  further: number,
  checks: readonly EngineCheck[],
  pace: Pace,
): Promise<ReadonlyMap<string, number>> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  await using run = await openAt(pace, clock);
  const whole = planOpen(run, checks, { waitsForLimits: true });
  const planned = whole.checks.map((one) => {
    const { minCases, maxCases } = one.check.cases;
    return { ...one, cases: Math.min(maxCases, minCases + further) };
  });
  const over = Promise.withResolvers<undefined>();
  // If limits are waited for, slow answers leave no cases out.
  const plan = { ...whole, checks: planned, expectedMs: 1 };
  const session = new Session(run, { plan, waitsForLimits: true, onDemand: over.promise });
  const running = session.run();
  const taken = new Map<string, number>();
  for (const { check } of runningOrder(planned, run.target.stateHandler.clock)) {
    const from = clock.monotonic();
    await session.outcomeOf(check.id);
    taken.set(check.id, clock.monotonic() - from);
  }
  over.resolve(undefined);
  await running;
  return taken;
}

function openAt({ answerMs, deliveryMs }: Pace, clock: VirtualClock): Promise<OpenRun> {
  const settings = { ...amply(), watchMs: 0 };
  const inbox = new Inbox({ clock, newToken: tokensFrom('times') });
  const policy: Policy = {
    ...documentedPolicy,
    callbackDelayMs: deliveryMs,
    notificationDelayMs: () => deliveryMs,
  };
  return openRun(settings, {
    ...{ id: 'times', clock, openJournal: () => noJournal },
    openTarget: async () =>
      slowTarget(await openInProcessTarget({ settings, clock, policy, inbox }), clock, {
        answerMs: () => answerMs,
      }),
    openSink: () => Promise.resolve(inProcessSink(inbox)),
  });
}

function minus(one: CheckTime, other: CheckTime): CheckTime {
  const of = (part: keyof CheckTime) => round(one[part] - other[part]);
  return { turns: of('turns'), waits: of('waits'), restMs: of('restMs') };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function brief(time: CheckTime): Partial<CheckTime> {
  return Object.fromEntries(Object.entries(time).filter(([, value]) => value !== 0));
}
