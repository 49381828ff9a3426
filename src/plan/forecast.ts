import type { Settings } from '../core/settings.ts';
import { ownershipOf } from './budgets.ts';
import { fillsOwnKeys, refusing, runsAlone } from './check.ts';
import type { Plan, PlannedCheck } from './plan.ts';
import { timeOf, type CheckTime } from './recorded.ts';

/**
 * How long a request takes without any waiting, in milliseconds, before anything is measured: until the answer, and on this
 * machine alone.
 */
const usual = {
  embedded: { latencyMs: 2, ownMs: 2 },
  disposable: { latencyMs: 4, ownMs: 3 },
  foreign: { latencyMs: 40, ownMs: 3 },
};

/** After waiting this long for callbacks, a property starts no further case: each would wait as long again. */
export const mostWaitingMs = 30_000;

/** The embedded target has finished its work when it answers, so its checks wait for little else. */
const promptShare = 0.05;

/** What the duration of a run depends on, for one check. */
export interface Work {
  readonly id: string;
  readonly requests: number;
  readonly time: CheckTime;
  /** Whether all others wait in the meantime. */
  readonly isAlone: boolean;
  /** Whether it starts after others that wait for deliveries. */
  readonly isLate: boolean;
  /** Deliveries that it waits for however long they take; it waits for others only within bounds. */
  readonly leastWaits: number;
}

/** How quick the target is, as guessed or measured. */
export interface TargetPace {
  readonly latencyMs: number;
  /** Time from a change to the delivery that reports it. */
  readonly deliveryMs: number;
  /** Time that a request takes on this machine. */
  readonly ownMs: number;
  /** Number of checks that run concurrently. */
  readonly width: number;
  /** Share of the other waits of checks that really takes place. */
  readonly restShare: number;
}

/** The assumed pace before anything is measured. */
export function usualPace(settings: Settings, width: number): TargetPace {
  const ownership = ownershipOf(settings);
  return { ...usual[ownership], deliveryMs: 0, width, restShare: ownership === 'embedded' ? promptShare : 1 };
}

/** Number of checks that run concurrently if answers are quick: more than two only if there are keys to spread over. */
export function usualWidth(keys: number): number {
  return Math.min(8, Math.max(2, keys));
}

/** The checks of a plan that send something, each with the given number of cases, by default the plan's. */
export function workOf(
  { checks, carriers }: Pick<Plan, 'checks' | 'carriers'>,
  casesOf: (planned: PlannedCheck) => number = ({ cases }) => cases,
): readonly Work[] {
  return [...carriers, ...checks]
    .filter(({ check }) => check.kind !== 'passive')
    .map((planned) => {
      const { check } = planned;
      const cases = casesOf(planned);
      const time = timeOf(check, cases);
      const leastWaits = check.kind === 'property' ? timeOf(check, check.cases.minCases).waits : time.waits;
      const kind = {
        isAlone: runsAlone(check, cases) && !fillsOwnKeys(check),
        isLate: check.tags.includes(refusing),
        leastWaits,
      };
      return { id: check.id, requests: check.cost(cases).requests, time, ...kind };
    });
}

/** If both checks and limits cause waiting, the total is the longer wait plus this share of the shorter one. */
const overlap = 0.5;

/** How long the work takes, in milliseconds; the rate limits alone take `limitsMs`. */
export function takesMs(work: readonly Work[], pace: TargetPace, limitsMs: number): number {
  const [alone, shared] = [work.filter(({ isAlone }) => isAlone), work.filter(({ isAlone }) => !isAlone)];
  const answers = (one: Work) => one.time.turns * pace.latencyMs;
  const own = (one: Work) => one.requests * pace.ownMs;
  const waits = ({ time, leastWaits }: Work) =>
    Math.min(time.waits * pace.deliveryMs, mostWaitingMs + leastWaits * pace.deliveryMs);
  const rests = (one: Work) => waits(one) + one.time.restMs * pace.restShare;
  const oneByOne = (one: Work) => Math.max(answers(one), own(one)) + rests(one);
  const longest = (isLate: boolean) =>
    Math.max(0, ...shared.filter((one) => one.isLate === isLate).map(oneByOne));
  const beside = Math.max(
    sum(shared, answers) / pace.width,
    sum(shared, own),
    longest(false) + longest(true),
  );
  const workMs = beside + sum(alone, oneByOne);
  return Math.max(limitsMs, workMs) + overlap * Math.min(limitsMs, workMs);
}

/** The remaining work after a share of it is done. */
export function restOf(work: Work, doneShare: number): Work {
  const left = 1 - Math.min(1, Math.max(0, doneShare));
  const { turns, waits, restMs } = work.time;
  const time = { turns: turns * left, waits: waits * left, restMs: restMs * left };
  return { ...work, requests: work.requests * left, time, leastWaits: work.leastWaits * left };
}

function sum(work: readonly Work[], of: (one: Work) => number): number {
  return work.reduce((total, one) => total + of(one), 0);
}
