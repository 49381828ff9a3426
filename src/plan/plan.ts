import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Settings } from '../core/settings.ts';
import type { FullBudgets } from './budgets.ts';
import type { Capability, Check, Cost, FixtureName } from './check.ts';
import type { Fitting, Rotation } from './rotation.ts';

/** What a run is going to do, known before anything is sent. */
export interface Plan<C extends Check = Check> {
  readonly checks: readonly PlannedCheck<C>[];
  /** Not selected, but run for the traffic that the selected passive checks need; their verdicts are not reported. */
  readonly carriers: readonly PlannedCheck<C>[];
  readonly skipped: readonly SkippedCheck<C>[];
  /** All that the checks and their fixtures send on a conforming target, the first reach for the target included. */
  readonly total: Cost;
  readonly fixtures: readonly FixtureName[];
  /** Whether records of earlier runs stand in for new ones, since the units do not do for all. */
  readonly usesBook: boolean;
  /** Shortest time that the rate limits allow for it, in milliseconds. */
  readonly expectedMs: number;
  /** Keys that requests spread over. */
  readonly keys: number;
  readonly budgets: FullBudgets;
  /** Of a plan in rotation, the checks that some round of the day could run. */
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
  /** Keys that requests spread over. */
  readonly keys: number;
  /** Fixtures that earlier runs made; none where left out. */
  readonly booked?: ReadonlySet<FixtureName>;
  /** Which checks other rounds run; all are for this one where left out. */
  readonly rotation?: Rotation | undefined;
  /** How to supply a capability, where this run knows better than in general. */
  readonly hints?: Readonly<Partial<Record<Capability, string>>>;
}
