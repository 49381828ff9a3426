import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Check, Cost } from './check.ts';

/** What a check spent when it was recorded; missing numbers are 0. */
export interface RecordedCost {
  /** With the fewest cases. */
  readonly least: Partial<Cost>;
  /** With one more case; same as `least` by default. */
  readonly more?: Partial<Cost>;
  /** What each further case adds. */
  readonly each?: Partial<Cost>;
}

/** Costs by the id of the check. */
export type RecordedCosts = Readonly<Record<string, RecordedCost>>;

/** The file of recorded costs; `npm run costs` writes it. */
export const costsFile = (): string => join(packageRoot(), 'fixtures', 'costs.json');

let own: RecordedCosts | undefined;

/** What all checks spent in runs against the embedded reference. Read only once. */
export function recordedCosts(): RecordedCosts {
  own ??= JSON.parse(readFileSync(costsFile(), 'utf8')) as RecordedCosts;
  return own;
}

/** The recorded cost of a check. One that was not recorded yet counts as one request per case. */
export function recordedCost(id: string, cases: Check['cases']): Check['cost'] {
  const recorded = recordedCosts()[id];
  if (!recorded) return costPerCase({ requests: 1 }, cases);
  const { least, more = least, each = {} } = recorded;
  return (wanted) => {
    const further = clamp(wanted, cases) - cases.minCases;
    return further === 0 ? plus(least, {}, 0) : plus(more, each, further - 1);
  };
}

/** The cost of a check that spends the same in each case. */
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
