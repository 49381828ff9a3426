import type { FullBudgets } from './budgets.ts';
import { budgetHint, budgetLackText } from './budgetLack.ts';
import { bookRoles, type Check, type Cost, type FixtureName } from './check.ts';
import { fixtureCost, reachCost, sum, totalCost, withFixtures } from './costs.ts';
import type { PlanInput, PlannedCheck, SkippedCheck } from './plan.ts';
import { budgetFor, kinds, plannable, plannableOf, within } from './room.ts';
import { fittingOf, groupsOf, type Fitting, type Rotation } from './rotation.ts';
import { byInformative, informativeRank, informativeWeight } from './informative.ts';

interface Fit<C extends Check> {
  readonly kept: readonly C[];
  readonly dropped: readonly SkippedCheck<C>[];
  readonly further: readonly PlannedCheck<C>[];
  readonly fitting?: Fitting;
}

/** Takes checks in the order of what they show per request, as long as the budgets have room for their smallest form. */
export function fit<C extends Check>(checks: readonly C[], input: PlanInput<C>): Fit<C> {
  const basket = new Basket<C>(input);
  const { rotation } = input;
  if (rotation === undefined) basket.take(byWorth(checks));
  else takeInTurn(byWorth(checks), basket, rotation);
  const kept = checks.filter((check) => basket.kept.has(check));
  const left = checks.filter((check) => !basket.kept.has(check));
  if (rotation !== undefined) {
    const alone = (check: C) => sum([reachCost, leastCost(check, new Set(), input)]);
    const day = plannableOf(rotation.daily, rotation);
    return {
      kept,
      dropped: left.map(laterRound),
      further: [],
      fitting: fittingOf(checks, alone, (cost) => within(cost, day)),
    };
  }
  const room = { spent: basket.spent, budgets: input.budgets, whole: totalCost(checks, 1, input) };
  const further = byWorth(left).flatMap((check) => {
    const cost = basket.costOf(check);
    const fits = basket.spent.requests + cost.requests < input.budgets.maxRequests;
    const cases = check.kind === 'property' ? check.cases.minCases : 0;
    return fits && isFree(cost) ? [{ check, cases, cost }] : [];
  });
  return { kept, dropped: left.map((check) => dropFor(check, basket.costOf(check), room)), further };
}

/** The checks that a plan has taken, as long as there is room. */
class Basket<C extends Check> {
  readonly kept = new Set<C>();
  readonly fixtures = new Set<FixtureName>();
  spent = reachCost;
  readonly #room: Cost;
  readonly #input: PlanInput<C>;

  constructor(input: PlanInput<C>) {
    this.#input = input;
    this.#room = plannableOf(input.budgets, input.rotation);
  }

  /** Takes those of the checks that fit, until `most` requests are spent. */
  take(checks: readonly C[], most = Number.POSITIVE_INFINITY): void {
    for (const check of checks) {
      if (this.kept.has(check) || !this.hasRoom(check, most)) continue;
      this.spent = sum([this.spent, this.costOf(check)]);
      this.kept.add(check);
      for (const name of withFixtures(check, this.fixtures)) this.fixtures.add(name);
    }
  }

  /** Least cost of a check in addition to what has been taken. */
  costOf(check: C): Cost {
    return leastCost(check, this.fixtures, this.#input);
  }

  /** The fixtures of a check that still have to be made and cost units or subscriptions. */
  paidFixtures(check: C): readonly FixtureName[] {
    return withFixtures(check, this.fixtures).filter((name) => !isFree(fixtureCost(name, this.#input)));
  }

  /** Whether a check fits, if at most `most` requests may be spent. */
  hasRoom(check: C, most = Number.POSITIVE_INFINITY): boolean {
    const next = sum([this.spent, this.costOf(check)]);
    return within(next, { ...this.#room, requests: Math.min(this.#room.requests, most) });
  }

  /** Whether a check would fit if the round had more requests. */
  lacksRequestsOnly(check: C): boolean {
    return within({ ...sum([this.spent, this.costOf(check)]), requests: 0 }, this.#room);
  }
}

/**
 * One of several rounds: first what shows most, then what fails now, then what the units of the day pay for, then what no round
 * has run yet. What earlier rounds ran comes again only if nothing is left that this round could save up for: what it does not
 * spend is for later rounds.
 */
function takeInTurn<C extends Check>(checks: readonly C[], basket: Basket<C>, rotation: Rotation): void {
  const { passive, failing, unmet, again } = groupsOf(checks, rotation);
  const { perRound } = rotation;
  const free = (some: readonly C[]) => some.filter((check) => isFree(basket.costOf(check)));
  basket.take(passive);
  basket.take(free(checks), Math.floor(perRound * alwaysShare));
  basket.take(failing, Math.floor(perRound * failingShare));
  for (const tried = new Set<string>(); ;) {
    const bundle = bestBundle(unmet, basket, tried);
    if (bundle === null) break;
    tried.add(bundle.key);
    basket.take(bundle.checks, Math.floor(perRound * boughtShare));
  }
  basket.take(unmet);
  const most = plannable(rotation.daily.maxRequests);
  const saves = unmet.some(
    (check) =>
      !basket.kept.has(check) &&
      basket.lacksRequestsOnly(check) &&
      sum([basket.spent, basket.costOf(check)]).requests <= most,
  );
  if (!saves) basket.take(free(again));
}

/** Shares of a round's requests that may go to what shows most, to what costs units, and to what fails. */
const alwaysShare = 0.2;
const boughtShare = 0.45;
const failingShare = 0.6;

function laterRound<C extends Check>(check: C): SkippedCheck<C> {
  return { check, cause: 'budget', reason: 'is for another round of the monitor', hint: null };
}

/** Least cost of a check, including the fixtures that do not exist yet. */
function leastCost(check: Check, present: ReadonlySet<FixtureName>, input: PlanInput<Check>): Cost {
  const fixtures = withFixtures(check, present).map((name) => fixtureCost(name, input));
  return sum([check.cost(check.cases.minCases), ...fixtures]);
}

/** What a plan has spent of its budgets, and what all checks would cost. */
interface Room {
  readonly spent: Cost;
  readonly budgets: FullBudgets;
  readonly whole: Cost;
}

/** Names each budget that is too small, how much of it the check takes, and how much would be enough for it and for all. */
function dropFor<C extends Check>(check: C, cost: Cost, { spent, budgets, whole }: Room): SkippedCheck<C> {
  const short = kinds.filter(({ of, most }) => spent[of] + cost[of] > plannable(budgets[most]));
  const takes = short.map(({ name, of, most }) => {
    const left = plannable(budgets[most]) - spent[of];
    return budgetLackText({ takes: cost[of], name, budget: budgets[most], left });
  });
  const enough = short.map(({ of, option }) => `${option} ${budgetFor(spent[of] + cost[of])}`);
  const forAll = short.map(
    ({ of, option }) => `${option} ${budgetFor(Math.max(whole[of], spent[of] + cost[of]))}`,
  );
  return { check, cause: 'budget', reason: takes.join('; '), hint: budgetHint(enough, forAll) };
}

/** Sorts by what shows most per request, then smoke checks, then by requirements judged per request; passive checks cost nothing. */
function byWorth<C extends Check>(checks: readonly C[]): readonly C[] {
  const worth = (check: C) => check.verifies.length / Math.max(1, check.cost(check.cases.minCases).requests);
  const rank = (check: C) =>
    check.kind === 'passive'
      ? 0
      : Number.isFinite(informativeRank(check.id))
        ? 1
        : check.tags.includes('smoke')
          ? 2
          : 3;
  return [...checks].sort((a, b) => rank(a) - rank(b) || byInformative(a.id, b.id) || worth(b) - worth(a));
}

function isFree({ quota, subscriptions }: Cost): boolean {
  return quota + subscriptions === 0;
}

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
function bestBundle<C extends Check>(
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
