import type { FullBudgets } from './budgets.ts';
import type { Check, Cost, FixtureName } from './check.ts';
import { fixtureCost, reachCost, sum, totalCost, withFixtures } from './costs.ts';
import type { PlanInput, SkippedCheck } from './plan.ts';
import { byTelling, tellingRank } from './telling.ts';

/**
 * Share of each budget that no plan touches: for confirming and shrinking what fails, and for what no plan can know, such
 * as an itinerary that is not taken at once or a deployment that answers late.
 */
const reserve = 0.25;

/** The budgets, by what they limit. */
const kinds = [
  { name: 'requests', of: 'requests', most: 'maxRequests', option: '--max-requests' },
  { name: 'quota units', of: 'quota', most: 'maxQuota', option: '--max-quota' },
  { name: 'subscriptions', of: 'subscriptions', most: 'maxSubscriptions', option: '--max-subscriptions' },
] as const;

/** Takes checks in the order of what they show per request, as long as the budgets have room for their least form. */
export function fit<C extends Check>(
  checks: readonly C[],
  input: PlanInput<C>,
): { kept: readonly C[]; dropped: readonly SkippedCheck<C>[] } {
  const kept = new Set<C>();
  const fixtures = new Set<FixtureName>();
  const budgets = budgetsToPlan(input);
  let spent = reachCost;
  for (const check of byWorth(checks)) {
    const next = sum([spent, leastCost(check, fixtures, input)]);
    if (!fits(next, budgets)) continue;
    kept.add(check);
    for (const name of withFixtures(check, fixtures)) fixtures.add(name);
    spent = next;
  }
  const room = { spent, budgets, whole: totalCost(checks, 1, input) };
  const dropped = checks
    .filter((check) => !kept.has(check))
    .map((check) => dropFor(check, leastCost(check, fixtures, input), room));
  return { kept: checks.filter((check) => kept.has(check)), dropped };
}

/** Where units are only for what goes wrong, a plan has none to spend. */
function budgetsToPlan({ budgets, spares = [] }: PlanInput<Check>): FullBudgets {
  const maxQuota = spares.includes('quota') ? 0 : budgets.maxQuota;
  return {
    ...budgets,
    maxQuota,
    maxSubscriptions: spares.includes('subscriptions') ? 0 : budgets.maxSubscriptions,
  };
}

/** What a check takes at least, with the fixtures that are not there yet. */
function leastCost(check: Check, present: ReadonlySet<FixtureName>, input: PlanInput<Check>): Cost {
  const fixtures = withFixtures(check, present).map((name) => fixtureCost(name, input));
  return sum([check.cost(check.cases.minCases), ...fixtures]);
}

/** What a plan has spent of its budgets, and what all checks would take. */
interface Room {
  readonly spent: Cost;
  readonly budgets: FullBudgets;
  readonly whole: Cost;
}

/** Names each budget that is too small, what the check takes of it, and how much would do for it and for all. */
function dropFor<C extends Check>(check: C, cost: Cost, { spent, budgets, whole }: Room): SkippedCheck<C> {
  const short = kinds.filter(({ of, most }) => spent[of] + cost[of] > plannable(budgets[most]));
  const takes = short.map(({ name, of, most }) => {
    const left = plannable(budgets[most]) - spent[of];
    return `takes ${cost[of]} ${cost[of] === 1 ? name.replace(/s$/, '') : name}, and of the budget of ${budgets[most]} the plan has ${left} left`;
  });
  const enough = short.map(({ of, option }) => `${option} ${budgetFor(spent[of] + cost[of])}`);
  const forAll = short.map(
    ({ of, option }) => `${option} ${budgetFor(Math.max(whole[of], spent[of] + cost[of]))}`,
  );
  const hint = `${enough.join(' and ')} would do for it, ${forAll.join(' and ')} for all checks: a quarter is kept for confirming what fails.`;
  return { check, cause: 'budget', reason: takes.join('; '), hint };
}

/** What shows most per request first, then smoke checks, then by requirements judged per request; passive ones cost nothing. */
function byWorth<C extends Check>(checks: readonly C[]): readonly C[] {
  const worth = (check: C) => check.verifies.length / Math.max(1, check.cost(check.cases.minCases).requests);
  const rank = (check: C) =>
    check.kind === 'passive'
      ? 0
      : Number.isFinite(tellingRank(check.id))
        ? 1
        : check.tags.includes('smoke')
          ? 2
          : 3;
  return [...checks].sort((a, b) => rank(a) - rank(b) || byTelling(a.id, b.id) || worth(b) - worth(a));
}

/** As many cases as the budgets that are left allow, the same number for every property. */
export function casesFor(checks: readonly Check[], input: PlanInput<Check>, most: number): number {
  let cases = most;
  while (cases > 1 && !fits(totalCost(checks, cases, input), budgetsToPlan(input))) cases -= 1;
  return cases;
}

function fits(cost: Cost, budgets: FullBudgets): boolean {
  return kinds.every(({ of, most }) => cost[of] <= plannable(budgets[most]));
}

/** What of a budget a plan may spend: where there are two, one stays for what is sent and ought to be refused. */
function plannable(budget: number): number {
  return budget - Math.max(budget > 1 ? 1 : 0, Math.floor(budget * reserve));
}

/** The least budget of which a plan may spend so much. */
function budgetFor(cost: number): number {
  let budget = Math.floor(cost / (1 - reserve));
  while (plannable(budget) < cost) budget += 1;
  return budget;
}
