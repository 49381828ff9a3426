import type { FullBudgets } from './budgets.ts';
import type { Check, Cost } from './check.ts';

/** How rounds with small budgets share the checks, so that after some rounds all that fit have run. */
export interface Rotation {
  /** Checks that earlier rounds ran, the oldest first. */
  readonly met: readonly string[];
  /** Requirements that fail; their checks come early, to notice when they pass again. */
  readonly failing: readonly string[];
  /** Requests of a round that has not saved any. */
  readonly perRound: number;
  /** What all rounds of a day may spend. */
  readonly daily: Pick<FullBudgets, 'maxRequests' | 'maxQuota' | 'maxSubscriptions'>;
  /** Part of that which no plan spends: for requests that ought to be refused, and for failures. */
  readonly kept: Pick<FullBudgets, 'maxQuota' | 'maxSubscriptions'>;
}

/** Checks in the order in which a round considers them; each list is sorted by what a check shows per request. */
interface Groups<C> {
  /** Checks that judge the traffic of others. */
  readonly passive: readonly C[];
  /** Checks of what fails now. */
  readonly failing: readonly C[];
  /** Checks that no round of this turn has run yet. */
  readonly unmet: readonly C[];
  /** Checks that some round ran, the oldest first. */
  readonly again: readonly C[];
}

/** The checks that a round may choose from. */
export function groupsOf<C extends Check>(checks: readonly C[], { met, failing }: Rotation): Groups<C> {
  const last = new Map(met.map((id, index) => [id, index]));
  const broken = new Set(failing);
  return {
    passive: checks.filter(({ kind }) => kind === 'passive'),
    failing: checks.filter(({ verifies }) => verifies.some((id) => broken.has(id))),
    unmet: checks.filter(({ id }) => !last.has(id)),
    again: checks
      .filter(({ id }) => last.has(id))
      .sort((a, b) => (last.get(a.id) ?? 0) - (last.get(b.id) ?? 0)),
  };
}

/** The checks that some round of a day could run, divided by whether they spend quota units. */
export interface Fitting {
  readonly free: readonly string[];
  readonly paid: readonly string[];
}

/** Those of the checks that send something and that a day could pay for; `alone` is the cost of a check by itself. */
export function fittingOf<C extends Check>(
  checks: readonly C[],
  alone: (check: C) => Cost,
  fits: (cost: Cost) => boolean,
): Fitting {
  const costs = checks
    .filter(({ kind }) => kind !== 'passive')
    .map((check) => ({ id: check.id, cost: alone(check) }))
    .filter(({ cost }) => fits(cost));
  const idsOf = (isPaid: boolean) =>
    costs.filter(({ cost }) => cost.quota > 0 === isPaid).map(({ id }) => id);
  return { free: idsOf(false), paid: idsOf(true) };
}
