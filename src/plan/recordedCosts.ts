import type { Check, Cost } from './check.ts';
import { numberOf, recordedFile, withinCases } from './recorded.ts';

/** What all checks spent in runs against the embedded reference. */
export const recordedCosts = recordedFile<Cost>('costs.json');

/** The recorded cost of a check. One that was not recorded yet counts as one request per case. */
export function recordedCost(id: string, cases: Check['cases']): Check['cost'] {
  const recorded = recordedCosts.read()[id];
  if (!recorded) return costPerCase({ requests: 1 }, cases);
  return (wanted) => costOf(numberOf(recorded, cases, wanted));
}

/** The cost of a check that spends the same in each case. */
export function costPerCase(each: Partial<Cost>, cases: Check['cases']): Check['cost'] {
  return (wanted) => costOf((kind) => (each[kind] ?? 0) * withinCases(wanted, cases));
}

function costOf(spent: (kind: keyof Cost) => number): Cost {
  return { requests: spent('requests'), quota: spent('quota'), subscriptions: spent('subscriptions') };
}
