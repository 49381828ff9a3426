import type { FullBudgets } from './budgets.ts';
import type { Check, Cost } from './check.ts';

/** How rounds with small budgets share the checks, so that all that fit are met after some of them. */
export interface Rotation {
  /** Checks that earlier rounds ran, the earliest first. */
  readonly met: readonly string[];
  /** Requirements that fail, whose checks come early, so that it is seen when they pass again. */
  readonly failing: readonly string[];
  /** The requests of a round that saved none. */
  readonly perRound: number;
  /** What all rounds of a day may spend. */
  readonly daily: Pick<FullBudgets, 'maxRequests' | 'maxQuota' | 'maxSubscriptions'>;
  /** Of what is left of that, what no plan spends: for requests that ought to be refused, and for what goes wrong. */
  readonly kept: Pick<FullBudgets, 'maxQuota' | 'maxSubscriptions'>;
}

/** Checks in the order in which a round looks at them; each list comes in the order of what a check shows per request. */
interface Groups<C> {
  /** Judges of what others send. */
  readonly passive: readonly C[];
  /** Those of what fails now. */
  readonly failing: readonly C[];
  /** What no round of this turn ran yet. */
  readonly unmet: readonly C[];
  /** What some round ran, the longest ago first. */
  readonly again: readonly C[];
}

/** What a round may choose from. */
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

/** The checks that some round of a day could run, by whether they take quota units. */
export interface Fitting {
  readonly free: readonly string[];
  readonly paid: readonly string[];
}

/** Of these checks that send something, those that a day could pay for; `alone` is what a check takes by itself. */
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
