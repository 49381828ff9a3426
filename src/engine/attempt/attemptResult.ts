import type { Exchange } from '../../core/evidence.ts';
import type { Violation } from '../../judge/kernel/sample.ts';

/** A case that broke a rule, complete enough to be run again. */
export interface FailedCase {
  /** Name of the row or property; empty for the rest of the check. */
  readonly name: string;
  readonly violations: readonly Violation[];
  /** The generated value after shrinking, and where fast-check finds it again. */
  readonly generated: {
    readonly value: unknown;
    readonly seed: number;
    readonly path: string;
    readonly text: string;
  } | null;
  /** Ids of all exchanges of the case, in order. */
  readonly exchanges: readonly Exchange[];
}

/** What one run through a check established. */
export interface AttemptResult {
  readonly samples: ReadonlyMap<string, number>;
  /** How requirements were kept, by their ids, where that matters. */
  readonly notes: ReadonlyMap<string, string>;
  readonly failed: readonly FailedCase[];
  /** Requirements whose condition the deployment did not bring about at some point. */
  readonly notApplicable: ReadonlySet<string>;
  readonly unclear: readonly UnclearCase[];
  readonly skipped: string | null;
  /** Names of the cases that were completed and broke no rule. */
  readonly held: ReadonlySet<string>;
  /** What ended it early: a hard budget, or the end of the run. */
  readonly cutShort: CutShort | null;
  readonly requests: number;
  /** Exchanges of the case that was to be replayed. */
  readonly replayed: readonly Exchange[];
}

/** A case that stayed undecided. */
export interface UnclearCase {
  readonly cause: string;
  readonly requirements: readonly string[];
  /** Ids of its last exchanges. */
  readonly evidence: readonly string[];
}

/** Why a check ended early. */
export interface CutShort {
  /** `unplanned`: a budget is used up by requests that may have cost nothing, so the rest is left out. */
  readonly by: 'budget' | 'unplanned' | 'stop';
  readonly reason: string;
}
