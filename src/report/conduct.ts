import type { SessionEnd } from '../engine/health/runEnd.ts';
import type { LatencySummary } from '../engine/observe/latencies.ts';
import type { SideEffect } from '../engine/observe/ledger.ts';
import type { LimitsFound } from '../engine/keys/limitsSchema.ts';
import type { CheckOutcome } from '../engine/findings/outcome.ts';
import type { Session } from '../engine/session/session.ts';

/** How a run ended, and the outcomes of its checks: everything that a result needs except the settings. */
export interface Conduct {
  readonly outcomes: readonly CheckOutcome[];
  readonly end: SessionEnd;
  /** In words; meaningful unless it completed. */
  readonly endReason: string;
  readonly requests: number;
  readonly quotaUnits: number;
  /** Number of 429s to requests that did not ask for one. */
  readonly throttled: number;
  readonly sideEffects: readonly SideEffect[];
  readonly limits: readonly LimitsFound[];
  readonly timings: readonly LatencySummary[];
  /** The requirements that an exchange or a delivery was seen to break, by its id. */
  readonly violatedBy: (evidence: string) => readonly string[];
}

/** The conduct of a session that sent its own requests. */
export function conductOf({ outcomes, end, endReason, traffic, observations }: Session): Conduct {
  const { requests, quota } = traffic.allowance.spent;
  return {
    ...{ outcomes, end, endReason, requests, quotaUnits: quota },
    throttled: traffic.client.throttled,
    sideEffects: traffic.ledger.sideEffects,
    limits: observations.limitsBook.found,
    timings: observations.observer.latencies.summaries(),
    violatedBy: (evidence) => observations.observer.violatedBy(evidence),
  };
}
