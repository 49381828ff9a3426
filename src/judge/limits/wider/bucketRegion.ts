import type { Decision } from '../decision.ts';
import { countBelow } from '../models/windowCounts.ts';

/**
 * A token bucket has a burst (how much it holds) and a refill (how much flows in during a window). For each refill, a
 * timeline bounds the burst: from below by what was admitted, from above by what was refused.
 */
export interface BucketRegion {
  /** Least burst with which everything that was admitted fits. */
  readonly leastBurst: (refill: number) => number;
  /** With this burst or more, something that was refused would have passed. */
  readonly burstBelow: (refill: number) => number;
}

/** Number of tokens that were taken, or for a refusal may have been taken, within a share of the window. */
interface Line {
  readonly taken: number;
  readonly share: number;
}

export interface BucketRules {
  readonly windowMs: number;
  /** Resolution of the bucket's clock: 0, or a second. */
  readonly clockMs: number;
  /** Refusals that the bucket does not have to explain. */
  readonly isExcused: (one: Decision, budget: readonly Decision[]) => boolean;
}

/** The buckets that explain all budgets, each with a bucket of its own. */
export function bucketRegion(budgets: readonly (readonly Decision[])[], rules: BucketRules): BucketRegion {
  const admitted = budgets.flatMap((budget) => admittedLines(budget, rules));
  const refused = budgets.flatMap((budget) => refusedLines(budget, rules));
  return {
    leastBurst: (refill) => greatest(admitted, ({ taken, share }) => taken - refill * share),
    burstBelow: (refill) =>
      refused.reduce(
        (below, lines) =>
          Math.min(
            below,
            greatest(lines, ({ taken, share }) => 1 + taken - refill * share),
          ),
        Number.POSITIVE_INFINITY,
      ),
  };
}

/** For each number of requests, the shortest time in which that many were admitted: least flowed in during it. */
function admittedLines(budget: readonly Decision[], { windowMs, clockMs }: BucketRules): readonly Line[] {
  const admitted = budget.filter(({ ruling }) => ruling === 'admitted');
  const byAnswer = [...admitted].sort((a, b) => a.received - b.received);
  const spans: number[] = [];
  for (const { sent } of admitted) {
    let taken = 0;
    for (const one of byAnswer) {
      if (one.sent < sent) continue;
      const span = one.received - sent;
      if (span < (spans[taken] ?? Number.POSITIVE_INFINITY)) spans[taken] = span;
      taken += 1;
    }
  }
  return spans.map((span, index) => ({ taken: index + 1, share: (span + clockMs) / windowMs }));
}

/**
 * A request is refused while there is less than one token: since some earlier time at which the bucket was full, as many tokens
 * were taken as were in it and flowed in since, less one. Considers all possible such times for each refusal.
 */
function refusedLines(
  budget: readonly Decision[],
  { windowMs, clockMs, isExcused }: BucketRules,
): readonly (readonly Line[])[] {
  const takers = budget.filter(({ ruling }) => ruling !== 'refused');
  return budget
    .filter((one) => one.ruling === 'refused' && !isExcused(one, budget))
    .map((one) => {
      const before = takers.filter(({ sent }) => sent < one.received);
      const answers = before.map(({ received }) => received).sort((a, b) => a - b);
      return before.map(({ sent, received }) => ({
        taken: answers.length - countBelow(answers, sent),
        share: Math.max(0, one.sent - received - clockMs) / windowMs,
      }));
    });
}

function greatest(lines: readonly Line[], of: (line: Line) => number): number {
  let most = 0;
  for (const line of lines) most = Math.max(most, of(line));
  return most;
}
