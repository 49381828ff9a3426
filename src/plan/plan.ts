import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Settings } from '../core/settings.ts';
import type { FullBudgets } from './budgets.ts';
import type { Capability, Check, Cost, FixtureName } from './check.ts';
import type { Fitting, Rotation } from './rotation.ts';

/** What a run is going to do, decided before anything is sent. */
export interface Plan<C extends Check = Check> {
  readonly checks: readonly PlannedCheck<C>[];
  /** Not selected, but run for the traffic that the selected passive checks need; their verdicts are not reported. */
  readonly carriers: readonly PlannedCheck<C>[];
  readonly skipped: readonly SkippedCheck<C>[];
  /** Of the skipped ones, those that take nothing but requests reserved for confirming, which are free if nothing fails: the best first. */
  readonly further: readonly PlannedCheck<C>[];
  /** Everything that the checks and their fixtures send on a conforming target, including the first request. */
  readonly total: Cost;
  readonly fixtures: readonly FixtureName[];
  /** Whether records of earlier runs replace new ones, since there are not enough units for all. */
  readonly usesBook: boolean;
  /** Shortest duration that the rate limits allow, in milliseconds. */
  readonly expectedMs: number;
  /** Number of keys that requests are spread over. */
  readonly keys: number;
  readonly budgets: FullBudgets;
  /** For a plan in rotation, the checks that some round of the day could run. */
  readonly fitting?: Fitting;
}

export interface PlannedCheck<C extends Check = Check> {
  readonly check: C;
  /** Generated cases that it gets; 0 for checks that generate none. */
  readonly cases: number;
  readonly cost: Cost;
}

export interface SkippedCheck<C extends Check = Check> {
  readonly check: C;
  /** `capability`: something is missing; `selection`: not asked for; `budget`: no room left. */
  readonly cause: 'capability' | 'selection' | 'budget';
  readonly reason: string;
  readonly hint: string | null;
}

export interface PlanInput<C extends Check> {
  readonly checks: readonly C[];
  readonly catalogue: Catalogue;
  readonly settings: Settings;
  readonly budgets: FullBudgets;
  readonly capabilities: ReadonlySet<Capability>;
  /** Number of keys that requests are spread over. */
  readonly keys: number;
  /** Fixtures that earlier runs made; none by default. */
  readonly booked?: ReadonlySet<FixtureName>;
  /** Which checks other rounds run; by default all are for this one. */
  readonly rotation?: Rotation | undefined;
  /** How to supply a capability, if this run knows a better way than the general hint. */
  readonly hints?: Readonly<Partial<Record<Capability, string>>>;
}
