import type { Cost } from './check.ts';
import type { Rotation } from './rotation.ts';

/**
 * Share of each budget that no plan uses: it is for confirming and shrinking failures, and for what no plan can foresee, such as
 * an itinerary that is not accepted at once or a deployment that answers late.
 */
const reserve = 0.25;

/** The kinds of budget. */
export const kinds = [
  { name: 'requests', of: 'requests', most: 'maxRequests', option: '--max-requests' },
  { name: 'quota units', of: 'quota', most: 'maxQuota', option: '--max-quota' },
  { name: 'subscriptions', of: 'subscriptions', most: 'maxSubscriptions', option: '--max-subscriptions' },
] as const;

/** Whether a cost stays within what may be spent of each kind. */
export function within(cost: Cost, room: Cost): boolean {
  return kinds.every(({ of }) => cost[of] <= room[of]);
}

/** What a plan may spend of these budgets: rounds reserve an amount for the whole day, a run reserves a share. */
export function plannableOf(budgets: Rotation['daily'], rotation: Rotation | undefined): Cost {
  const left = (most: 'maxQuota' | 'maxSubscriptions') =>
    rotation === undefined ? plannable(budgets[most]) : Math.max(0, budgets[most] - rotation.kept[most]);
  return {
    requests: plannable(budgets.maxRequests),
    quota: left('maxQuota'),
    subscriptions: left('maxSubscriptions'),
  };
}

/** How much of a budget a plan may spend: at least one is reserved for requests that ought to be refused. */
export function plannable(budget: number): number {
  return Math.max(0, budget - Math.max(1, Math.floor(budget * reserve)));
}

/** The smallest budget of which a plan may spend `cost`. */
export function budgetFor(cost: number): number {
  let budget = Math.floor(cost / (1 - reserve));
  while (plannable(budget) < cost) budget += 1;
  return budget;
}
