import type { Api } from '../core/operations.ts';

/** What a check may need in addition to a primary key; a missing one makes it `skipped`, with the hint of `capabilities.ts`. */
export type Capability =
  | 'second-key'
  | 'other-enterprise'
  | 'revoked-key'
  | 'disabled-key'
  | 'no-entitlement-key'
  | 'suspended-key'
  | 'exhausted-key'
  | 'writes'
  | 'quota'
  | 'subscriptions'
  | 'known-flight'
  | 'sink'
  | 'public-sink'
  | 'raw-http'
  | 'real-time'
  | 'watch'
  /** The minute limit can be seen opening again: the clock is moved, or the run waits for it. */
  | 'fillable-limits'
  | 'limit-minute'
  /** The same for the hour limit. */
  | 'limit-hour'
  | `state:${string}`;

/** Whether a check runs alone: always, never, or when it gets a single case. */
export type Exclusive = boolean | 'sparing';

/** Whether a check runs alone with this many cases. */
export function runsAlone({ exclusive }: { readonly exclusive: Exclusive }, cases: number): boolean {
  return exclusive === 'sparing' ? cases === 1 : exclusive;
}

/** Whether a check uses up the limits or quota of its own keys, and moves no clock. */
export function fillsOwnKeys({ needs }: { readonly needs: readonly Capability[] }): boolean {
  const worlds: readonly Capability[] = ['state:clock.advance', 'limit-minute', 'limit-hour', 'real-time'];
  const hasOwn = needs.includes('fillable-limits') && needs.includes('state:enterprise.create');
  return hasOwn && !worlds.some((need) => needs.includes(need));
}

/** Tag of checks that refuse deliveries, so that the deployment has something pending for a while. */
export const refusing = 'refuses-deliveries';

/** What a check will spend, known before anything is sent. */
export interface Cost {
  readonly requests: number;
  /** Web check-in quota units that stay spent on a conforming target. */
  readonly quota: number;
  /** Flight subscriptions that stay behind on a conforming target. */
  readonly subscriptions: number;
}

/**
 * One check as data. `Context` is what the engine hands to `run`; planning never looks at it.
 * - `fixed`: sends the same number of requests whatever the budget is.
 * - `property`: sends `cost(cases)` requests for the number of generated cases that the plan grants.
 * - `passive`: sends nothing; its verdict comes from the oracles that judge every exchange of the run.
 */
export interface Check<Context = never> {
  /** Dotted and stable, such as `wci.status.alias`; the command line accepts it. */
  readonly id: string;
  /** States the fact that is checked, as a sentence without a full stop. */
  readonly title: string;
  readonly api: Api | 'shared';
  readonly kind: 'fixed' | 'property' | 'passive';
  /** Ids of the requirements and open points that it judges or observes. */
  readonly verifies: readonly string[];
  readonly needs: readonly Capability[];
  readonly tags: readonly string[];
  /** Shared fixtures that it uses; each is paid for once a run, by the first check that needs it. */
  readonly uses: readonly FixtureName[];
  /**
   * Runs alone: it moves the clock or changes what other checks see. Some checks do so only in a sparing run, when they share a
   * record.
   */
  readonly exclusive: Exclusive;
  /** Its rows are symptoms of one thing, and each attempt may show another one: any of them confirms the others. */
  readonly isOneThing: boolean;
  /** Cost of `cases` generated cases (ignored by fixed checks), without fixtures. */
  readonly cost: (cases: number) => Cost;
  /** Its cost is an upper bound, since the seed decides what it sends; that of all others is recorded. */
  readonly isBounded?: boolean;
  /** The fewest generated cases that say anything, and how many are enough. */
  readonly cases: { readonly minCases: number; readonly maxCases: number };
  /** Number of rows that it sends, in a full and in a sparing run; null for a check without rows. */
  readonly rows: { readonly all: number; readonly sample: number } | null;
  readonly run: (context: Context) => Promise<void>;
}

/** The range of a check that generates no cases but has a sparing form: a single case asks for that form, more for the full one. */
export const twoForms = { minCases: 1, maxCases: 2 } as const;

/** Records that later runs use again: nobody changes them, or only in ways that leave no trace. */
export const bookRoles = [
  'complete-record',
  'incomplete-record',
  'workbench-record',
  'other-record',
] as const satisfies readonly FixtureName[];

/** Records that checks share because they only read them, or change them in ways that no other check minds. */
export type FixtureName =
  | 'complete-record'
  | 'fresh-record'
  | 'incomplete-record'
  | 'workbench-record'
  | 'other-record'
  | 'domestic-record'
  | 'two-leg-record'
  | 'date-line-record'
  | 'scratch-record'
  | 'known-flight'
  | 'polling-subscription'
  | 'callback-subscription';
