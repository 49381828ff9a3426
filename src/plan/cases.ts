import type { Check, Cost } from './check.ts';
import { sum, totalCost } from './costs.ts';
import type { PlanInput } from './plan.ts';
import { plannableOf, within } from './room.ts';

/** As many cases as the remaining budgets allow, the same number for every property. */
export function casesFor(checks: readonly Check[], input: PlanInput<Check>, most: number): number {
  let cases = most;
  const room = plannableOf(input.budgets, input.rotation);
  while (cases > 1 && !within(totalCost(checks, cases, input), room)) cases -= 1;
  return cases;
}

/**
 * The checks that are run in full although the budgets make the run a sparing one: those that take least more, as long as there
 * is room. Rounds save up what they do not spend, and generated cases alone say less than rows do.
 */
export function runInFull<C extends Check>(checks: readonly C[], input: PlanInput<C>): ReadonlySet<C> {
  const full = new Set<C>();
  // More than that would use up the hour of an enterprise where its keys share one, before the check of it comes.
  if (input.rotation !== undefined || input.budgets.maxRequests > input.settings.limits.perHour) return full;
  const room = plannableOf(input.budgets, input.rotation);
  let spent = totalCost(checks, 1, input);
  for (const check of [...checks].filter(hasTwoForms).sort((a, b) => further(a) - further(b))) {
    const next = sum([spent, furtherCost(check)]);
    if (!within(next, room)) continue;
    spent = next;
    full.add(check);
  }
  return full;
}

/** Whether the sparing form leaves out more than generated cases. */
function hasTwoForms({ kind, rows, cases }: Check): boolean {
  return kind === 'property' && cases.minCases === 1 && (rows !== null || cases.maxCases === 2);
}

function further(check: Check): number {
  return furtherCost(check).requests;
}

function furtherCost({ cost }: Check): Cost {
  const [least, full] = [cost(1), cost(2)];
  return {
    requests: full.requests - least.requests,
    quota: full.quota - least.quota,
    subscriptions: full.subscriptions - least.subscriptions,
  };
}
