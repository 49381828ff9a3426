import type { Level } from '../../catalogue/row.ts';
import { heaviestOf } from './weight.ts';

/** What is established about one requirement: by one check, by a run, or by several runs together. */
export type Verdict = Passed | Unpassed;

/** It was exercised, and no violation was seen; `reason` says how it was kept where that matters, such as late. */
interface Passed {
  readonly status: 'pass';
  readonly samples: number;
  readonly reason: string | null;
}

/**
 * `fail` and `warn`: it was broken; `observed`: what was seen, which is not judged; `not-applicable`: the deployment did
 * not bring about its condition; otherwise why it is undecided.
 */
interface Unpassed {
  readonly status: 'fail' | 'warn' | 'observed' | 'not-applicable' | 'skipped' | 'inconclusive';
  /** How often it was exercised. */
  readonly samples: number;
  readonly reason: string;
  /** Ids of the last exchanges of the case that stayed undecided, if there was one. */
  readonly evidence?: readonly string[];
  /** Its check came to no case of it, and nothing disturbed it: what other checks established decides. */
  readonly isUnexercised?: true;
}

/** In the order in which reports count them. */
export const verdictStatuses = [
  'pass',
  'fail',
  'warn',
  'observed',
  'not-applicable',
  'skipped',
  'inconclusive',
] as const satisfies readonly Verdict['status'][];

export type VerdictStatus = Verdict['status'];

/** Whether a verdict decides if a rule is kept. */
export function isJudged(status: VerdictStatus): boolean {
  return status === 'pass' || status === 'fail' || status === 'warn';
}

export function passed(samples: number, reason: string | null = null): Verdict {
  return { status: 'pass', samples, reason };
}

/** Combines what was established about one requirement, or by one check: the heaviest verdict counts. Null if there is none. */
export function addUp(verdicts: readonly Verdict[], level?: Level): Verdict | null {
  const decisive = heaviestOf(verdicts, level);
  if (!decisive) return null;
  const samples = verdicts.reduce((sum, one) => sum + one.samples, 0);
  if (decisive.status !== 'pass') return { ...decisive, samples };
  return passed(samples, verdicts.find((one) => one.status === 'pass' && one.reason !== null)?.reason);
}
