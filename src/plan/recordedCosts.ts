import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Check, Cost } from './check.ts';

/** What a check spent when it was recorded; numbers that are left out are 0. */
export interface RecordedCost {
  /** With the fewest cases. */
  readonly least: Partial<Cost>;
  /** With one case more; as `least` where left out. */
  readonly more?: Partial<Cost>;
  /** What each further case adds. */
  readonly each?: Partial<Cost>;
}

/** By the id of the check. */
export type RecordedCosts = Readonly<Record<string, RecordedCost>>;

/** Where they are kept; `npm run costs` writes it. */
export const costsFile = (): string => join(packageRoot(), 'fixtures', 'costs.json');

let own: RecordedCosts | undefined;

/** What all checks spent in runs against the embedded reference. Read once. */
export function recordedCosts(): RecordedCosts {
  own ??= JSON.parse(readFileSync(costsFile(), 'utf8')) as RecordedCosts;
  return own;
}

/** What a check spends, as it was recorded. One that was not recorded yet counts as a request for each case. */
export function recordedCost(id: string, cases: Check['cases']): Check['cost'] {
  const recorded = recordedCosts()[id];
  if (!recorded) return costPerCase({ requests: 1 }, cases);
  const { least, more = least, each = {} } = recorded;
  return (wanted) => {
    const further = clamp(wanted, cases) - cases.minCases;
    return further === 0 ? plus(least, {}, 0) : plus(more, each, further - 1);
  };
}

/** What a check spends that spends the same in each of its cases. */
export function costPerCase(each: Partial<Cost>, cases: Check['cases']): Check['cost'] {
  return (wanted) => plus({}, each, clamp(wanted, cases));
}

function clamp(wanted: number, { minCases, maxCases }: Check['cases']): number {
  return Math.min(maxCases, Math.max(minCases, wanted));
}

function plus(cost: Partial<Cost>, each: Partial<Cost>, times: number): Cost {
  const of = (kind: keyof Cost) => (cost[kind] ?? 0) + (each[kind] ?? 0) * times;
  return { requests: of('requests'), quota: of('quota'), subscriptions: of('subscriptions') };
}
