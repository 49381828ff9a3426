import type fc from 'fast-check';
import type { Evidence, Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { Identities } from '../../generate/kit/identity.ts';
import type { Judgement } from '../../judge/kernel/judgement.ts';
import type { Decision } from '../../judge/limits/decision.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';
import type { KeptState } from '../../send/keptState.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { Callbacks } from '../observe/callbacks.ts';
import type { Dialect } from '../observe/dialect.ts';
import type { Fixtures } from '../fixtures/fixtures.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';
import type { KnownLimits } from '../keys/limitsResult.ts';
import type { Claimed } from '../../trace/evidence.ts';
import type { UnknownIds } from '../observe/seenIds.ts';

/** Judgements of one piece of evidence, by requirement id. */
export type Judgements = Readonly<Record<string, Judgement>>;

/** A row that a finding can name: by its `name`, or by itself. Names are unique within a check. */
export type Named = string | { readonly name: string };

/** Everything that a check may use while it runs. A case is one row of `each`, one value of `forAll`, or the rest of the check. */
export interface CheckContext {
  /** APIs that the target has. */
  readonly apis: readonly Api[];
  readonly settings: Settings;
  readonly keys: KeyRing;
  readonly dialect: Dialect;
  readonly identities: Identities;
  readonly unknown: UnknownIds;
  /** Records that checks share; each is made once per run. */
  readonly fixtures: Fixtures;
  /** Number of generated cases that the plan grants to this check. */
  readonly cases: number;
  /** The budget is small: the plan grants a single case, tables send a sample of their rows, and records are shared. */
  readonly isSparing: boolean;
  /** Cases that failed run again, to confirm what they showed. */
  readonly isRepeat: boolean;

  /** The deployment's time in epoch milliseconds, as far as it is known; if it may be one of two, the later one. */
  now(): number;
  /** What the deployment's clock may show: two times if its `Date` headers contradict our clock and nothing else decides. */
  clocks(): readonly number[];
  /** Whether the state handler and the `Date` headers agree to within seconds about the time that lead times are based on. */
  isClockSure(): boolean;
  /** The run's own time in milliseconds, as in the timings of exchanges. */
  monotonic(): number;
  /** The run's wall clock in epoch milliseconds: for what is stored from run to run. */
  wallClock(): number;
  /** What a check remembers from run to run, by key. */
  readonly kept: KeptState;
  /** Times of answers that a key got in earlier runs and that may still count, on the clock of `monotonic`. */
  usedBefore(key: ApiKey): readonly number[];
  /** What the limiter decided about the requests of a key in this run so far. */
  decisionsOf(key: ApiKey): readonly Decision[];
  /** The window of a limit that several keys seem to share; null if none showed. */
  sharedLimit(): WindowLimit | null;
  /** Whether checks may wait for the windows of the limits to pass. */
  readonly isPatient: boolean;
  /** Shows the user a message. */
  tell(text: string): void;
  /** Says what only the sender knows of what it sends, for whoever judges the journal. */
  claim(claimed: Claimed): void;
  /** The musts that the passive oracles saw broken so far: how often, by what evidence, and the records that this is about. */
  broken(): readonly {
    readonly requirement: string;
    readonly count: number;
    readonly evidence: readonly string[];
    readonly records: readonly string[];
  }[];
  /** What the run may still spend beside what is planned for others, and how long it may still take. */
  spare(): { readonly requests: number; readonly units: number; readonly ms: number };
  /** Says by which situations of the explorer an exchange, or a record, came about. */
  tellStory(of: string, story: readonly string[]): void;
  /** Stores what the limit checks found, for the reports. */
  readonly limitsBook: KnownLimits;
  /** Waits, in the run's time. */
  sleep(ms: number): Promise<void>;
  /**
   * How long to wait for what a deployment may do shortly after its answer, or until its clock shows another time: `ms`, or next
   * to nothing if everything is done by then, as with the embedded target.
   */
  grace(ms: number): number;

  /** Sends one request within the limits and budgets of the run. */
  send(request: ApiRequest): Promise<Exchange>;

  /** Sends requests at the same time and beyond the limits, within the budgets; only for the checks of the limits. */
  burst(requests: readonly ApiRequest[]): Promise<readonly Exchange[]>;

  /**
   * Records what the evidence says about each requirement. Ends the case if a rule is broken or nothing can be said. Only
   * requirements in the check's `verifies` may be named.
   */
  judge(evidence: Evidence | readonly Evidence[], judgements: Judgements): void;

  /** Ends the case as undecided unless `condition` holds: what came before is not what the case is about. */
  assume(condition: boolean, cause: string): void;

  /** Ends the check: this deployment gives it nothing to check. */
  skip(reason: string): never;

  /** Runs one case per row; a failing case does not stop the others. */
  each<T extends Named>(rows: readonly T[], run: (row: T) => Promise<void>): Promise<void>;

  /** Runs `cases` generated cases (or `options.cases`); a failing one is shrunk within the budget. */
  forAll<T>(
    name: string,
    arbitrary: fc.Arbitrary<T>,
    run: (value: T) => Promise<void>,
    options?: { readonly cases?: number },
  ): Promise<void>;

  /** Notes how the deployment settles an open point. Never a failure, unless the user pinned another variant. */
  observe(openPoint: string, variant: string, evidence?: Exchange, detail?: string): void;

  /** The callback sink; only for checks that name `sink` or `public-sink` in `needs`, or ask whether it is reachable. */
  readonly callbacks: Callbacks;
  /** The state handler; only for checks that name the states they use in `needs`. */
  readonly state: StateHandler;
  /** Takes keys from the state handler; they are ready to be used and kept out of every report. */
  adoptKeys(enterprise: string, values: readonly string[]): readonly ApiKey[];
  /** A key with a special condition; only for checks that name it in `needs`. */
  specialKey(name: 'revoked' | 'disabled' | 'noEntitlement' | 'suspended' | 'exhausted'): ApiKey;
}

/** Everything of a context that does not depend on the attempt. */
export type ContextBase = Omit<
  CheckContext,
  | 'send'
  | 'burst'
  | 'judge'
  | 'assume'
  | 'skip'
  | 'each'
  | 'forAll'
  | 'cases'
  | 'fixtures'
  | 'isSparing'
  | 'isRepeat'
>;
