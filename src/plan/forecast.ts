import type { Settings } from '../core/settings.ts';
import { ownershipOf } from './budgets.ts';
import { fillsOwnKeys, refusing, runsAlone } from './check.ts';
import type { Plan, PlannedCheck } from './plan.ts';
import { timeOf, type CheckTime } from './recordedTimes.ts';

/** Milliseconds that a request takes where nothing waits, before anything is measured: with the answer, and of this machine alone. */
const usual = {
  embedded: { latencyMs: 2, ownMs: 2 },
  disposable: { latencyMs: 4, ownMs: 3 },
  foreign: { latencyMs: 40, ownMs: 3 },
};

/** After so much waiting for callbacks, a property begins no further case: each would wait as long again. */
export const mostWaitingMs = 30_000;

/** The embedded target has done all by the time it answers, so that its checks hardly wait for anything else. */
const promptShare = 0.05;

/** A check, as far as the time of a run depends on it. */
export interface Work {
  readonly id: string;
  readonly requests: number;
  readonly time: CheckTime;
  /** Whether all others wait meanwhile. */
  readonly isAlone: boolean;
  /** Whether it begins after others that wait for deliveries. */
  readonly isLate: boolean;
  /** Deliveries that it waits for whatever they take; for further ones only within bounds. */
  readonly leastWaits: number;
}

/** How quick the target is, as guessed or measured. */
export interface TargetPace {
  readonly latencyMs: number;
  /** From a change to the delivery that tells of it. */
  readonly deliveryMs: number;
  /** What a request takes of this machine. */
  readonly ownMs: number;
  /** Checks side by side. */
  readonly width: number;
  /** How much of what checks wait for besides is waited for. */
  readonly restShare: number;
}

/** A pace before anything is measured. */
export function usualPace(settings: Settings, width: number): TargetPace {
  const ownership = ownershipOf(settings);
  return { ...usual[ownership], deliveryMs: 0, width, restShare: ownership === 'embedded' ? promptShare : 1 };
}

/** Checks that run side by side where answers are quick: more than two only where there are keys to spread over. */
export function usualWidth(keys: number): number {
  return Math.min(8, Math.max(2, keys));
}

/** The checks of a plan that send something; of each as many cases as given, those of the plan where left out. */
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

/** Of what checks and limits are waited for, so much of the shorter comes on top of the longer. */
const overlap = 0.5;

/** Milliseconds that the work takes, of which the rate limits alone take so many. */
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

/** What is left of work of which a share was done. */
export function restOf(work: Work, doneShare: number): Work {
  const left = 1 - Math.min(1, Math.max(0, doneShare));
  const { turns, waits, restMs } = work.time;
  const time = { turns: turns * left, waits: waits * left, restMs: restMs * left };
  return { ...work, requests: work.requests * left, time, leastWaits: work.leastWaits * left };
}

function sum(work: readonly Work[], of: (one: Work) => number): number {
  return work.reduce((total, one) => total + of(one), 0);
}
