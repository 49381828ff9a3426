import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Check, Cost } from './check.ts';

/** What a check took when it was recorded; missing numbers are 0. */
export interface Recorded<Numbers> {
  /** With the fewest cases. */
  readonly least: Partial<Numbers>;
  /** With one more case; same as `least` by default. */
  readonly more?: Partial<Numbers>;
  /** What each further case adds. */
  readonly each?: Partial<Numbers>;
}

/** What was recorded, by the id of the check. */
export type RecordedChecks<Numbers> = Readonly<Record<string, Recorded<Numbers>>>;

/** A file of what was recorded. `npm run costs` writes it. */
export interface RecordedFile<Numbers> {
  readonly path: () => string;
  /** Its content, read only once. */
  readonly read: () => RecordedChecks<Numbers>;
}

/** The file of this name among the fixtures. */
function recordedFile<Numbers>(name: string): RecordedFile<Numbers> {
  let own: RecordedChecks<Numbers> | undefined;
  const path = () => join(packageRoot(), 'fixtures', name);
  const read = () => (own ??= JSON.parse(readFileSync(path(), 'utf8')) as RecordedChecks<Numbers>);
  return { path, read };
}

/** Each number of a check with this many cases. */
function numberOf<Numbers extends Readonly<Record<keyof Numbers, number>>>(
  { least, more = least, each = {} }: Recorded<Numbers>,
  cases: Check['cases'],
  wanted: number,
): (name: keyof Numbers) => number {
  const further = withinCases(wanted, cases) - cases.minCases;
  const [base, times] = further === 0 ? [least, 0] : [more, further - 1];
  return (name) => (base[name] ?? 0) + (each[name] ?? 0) * times;
}

/** The number of cases that a check runs if this many are wanted. */
function withinCases(wanted: number, { minCases, maxCases }: Check['cases']): number {
  return Math.min(maxCases, Math.max(minCases, wanted));
}

/** What a check waits for if nothing runs at the same time and no limit interferes. */
export interface CheckTime {
  /** Number of answers that it waits for one after another. */
  readonly turns: number;
  /** Number of deliveries that it waits for one after another. */
  readonly waits: number;
  /** Milliseconds that it waits for anything else. */
  readonly restMs: number;
}

/** Times of all checks in runs against the reference. */
export const recordedTimes = recordedFile<CheckTime>('times.json');

/** The times of a check with this many cases. One that was not recorded yet waits for each of its requests. */
export function timeOf({ id, cases, cost }: Check, wanted: number): CheckTime {
  const recorded = recordedTimes.read()[id];
  if (!recorded) return { turns: cost(wanted).requests, waits: 0, restMs: 0 };
  const time = numberOf(recorded, cases, wanted);
  const of = (part: keyof CheckTime) => Math.max(0, time(part));
  return { turns: of('turns'), waits: of('waits'), restMs: of('restMs') };
}

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
