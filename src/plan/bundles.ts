import { bookRoles, type Check, type Cost, type FixtureName } from './check.ts';
import { informativeWeight } from './informative.ts';

/** What a plan has chosen so far, as far as the next choice needs it. */
interface Taken<C> {
  readonly kept: ReadonlySet<C>;
  costOf(check: C): Cost;
  paidFixtures(check: C): readonly FixtureName[];
  hasRoom(check: C, mostRequests?: number): boolean;
  lacksRequestsOnly(check: C): boolean;
}

/** Checks that the same units make possible: they share the records that these units pay for. */
interface Bundle<C> {
  readonly key: string;
  readonly checks: readonly C[];
}

const lasting: ReadonlySet<FixtureName> = new Set(bookRoles);

/**
 * The bundle, of those not tried yet, that shows most per unit; null if there is no room for any. A record that later rounds use
 * again counts with all checks that it makes possible, any other only with those that this round can run.
 */
export function bestBundle<C extends Check>(
  checks: readonly C[],
  taken: Taken<C>,
  tried: ReadonlySet<string>,
): Bundle<C> | null {
  let best: (Bundle<C> & { readonly worth: number }) | null = null;
  for (const [key, some] of bundlesOf(checks, taken)) {
    const first = some[0];
    if (tried.has(key) || first === undefined || !some.some((check) => taken.hasRoom(check))) continue;
    const lasts = taken.paidFixtures(first).every((name) => lasting.has(name));
    const counted = lasts ? some : some.filter((check) => taken.hasRoom(check));
    const { quota, subscriptions } = taken.costOf(first);
    const worth = counted.reduce((sum, { id }) => sum + informativeWeight(id), 0) / (quota + subscriptions);
    if (best === null || worth > best.worth) best = { key, checks: some, worth };
  }
  return best;
}

/** Groups checks by what has to be made for them: the records that do not exist yet, and what a check spends itself. */
function bundlesOf<C extends Check>(
  checks: readonly C[],
  taken: Taken<C>,
): ReadonlyMap<string, readonly C[]> {
  const bundles = new Map<string, C[]>();
  for (const check of checks) {
    if (taken.kept.has(check) || !taken.lacksRequestsOnly(check)) continue;
    const { quota, subscriptions } = taken.costOf(check);
    if (quota + subscriptions === 0) continue;
    const own = check.cost(check.cases.minCases);
    const spends = own.quota + own.subscriptions > 0 ? [check.id] : [];
    const key = [...taken.paidFixtures(check), ...spends].sort().join(' ');
    bundles.set(key, [...(bundles.get(key) ?? []), check]);
  }
  return bundles;
}
