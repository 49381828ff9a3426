import type { Headers } from '../core/evidence.ts';
import type { VerdictStatus } from '../judge/kernel/verdict.ts';

/** What one check established about one of the requirements that it verifies. */
export interface Contribution {
  readonly requirement: string;
  readonly status: VerdictStatus;
  readonly samples: number;
  /** Null for a pass. */
  readonly reason: string | null;
}

/** A broken rule, ready to be reported. Secrets are replaced by labels. */
export interface FindingDraft {
  /** The same for the same defect in every run. */
  readonly fingerprint: string;
  readonly requirement: string;
  readonly check: string;
  /** Name of the row or property that showed it. */
  readonly caseName: string;
  readonly code: string;
  readonly severity: 'fail' | 'warn' | 'observed';
  /** `2 of 2`: how often it showed, of how many tries. */
  readonly confirmed: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly counterexample: string | null;
  readonly path: string | null;
  readonly curl: string | null;
  readonly exchanges: readonly string[];
  readonly stored: StoredCase;
}

/** A failing case whole, so that it can be had again: what to run, and what was sent and answered then. */
export interface StoredCase {
  readonly check: string;
  readonly caseName: string;
  readonly seed: number;
  readonly cases: number;
  readonly path: string | null;
  /** The whole check has to run again: an oracle saw it in passing, not the check that caused the exchange. */
  readonly whole: boolean;
  readonly steps: readonly StoredStep[];
  /** Callbacks that showed it. */
  readonly deliveries: readonly StoredDelivery[];
}

export interface StoredDelivery {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
  /** What the sink answered. */
  readonly answer: string;
}

export interface StoredStep {
  readonly operation: string | null;
  readonly method: string;
  readonly target: string;
  readonly key: string | null;
  readonly body: string | null;
  readonly status: number | null;
  readonly code: string | null;
}

/** What came of one check. */
export interface CheckOutcome {
  readonly check: string;
  readonly title: string;
  readonly status: VerdictStatus;
  readonly reason: string | null;
  readonly contributions: readonly Contribution[];
  readonly findings: readonly FindingDraft[];
  readonly requests: number;
}
