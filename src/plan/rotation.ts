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
}

/** Some checks, and the requests that may be spent once they are taken. */
export interface Turn<C> {
  readonly checks: readonly C[];
  readonly maxRequests: number;
}

/**
 * The order of a round: what tells most always, what fails now, then what no round ran yet. Takes checks in the order of what they
 * show per request.
 */
export function turnsOf<C extends Check>(
  checks: readonly C[],
  { met, failing, perRound }: Rotation,
): { readonly turns: readonly Turn<C>[]; readonly unmet: readonly C[]; readonly again: readonly C[] } {
  const last = new Map(met.map((id, index) => [id, index]));
  const broken = new Set(failing);
  const unmet = checks.filter(({ id }) => !last.has(id));
  const again = checks
    .filter(({ id }) => last.has(id))
    .sort((a, b) => (last.get(a.id) ?? 0) - (last.get(b.id) ?? 0));
  const turns = [
    { checks: checks.filter(({ kind }) => kind === 'passive'), maxRequests: Number.POSITIVE_INFINITY },
    { checks, maxRequests: Math.floor(perRound / 4) },
    {
      checks: checks.filter(({ verifies }) => verifies.some((id) => broken.has(id))),
      maxRequests: Math.floor((3 * perRound) / 4),
    },
    { checks: unmet, maxRequests: Number.POSITIVE_INFINITY },
  ];
  return { turns, unmet, again };
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
