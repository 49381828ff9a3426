import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Check } from './check.ts';

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
export function recordedFile<Numbers>(name: string): RecordedFile<Numbers> {
  let own: RecordedChecks<Numbers> | undefined;
  const path = () => join(packageRoot(), 'fixtures', name);
  const read = () => (own ??= JSON.parse(readFileSync(path(), 'utf8')) as RecordedChecks<Numbers>);
  return { path, read };
}

/** Each number of a check with this many cases. */
export function numberOf<Numbers extends Readonly<Record<keyof Numbers, number>>>(
  { least, more = least, each = {} }: Recorded<Numbers>,
  cases: Check['cases'],
  wanted: number,
): (name: keyof Numbers) => number {
  const further = withinCases(wanted, cases) - cases.minCases;
  const [base, times] = further === 0 ? [least, 0] : [more, further - 1];
  return (name) => (base[name] ?? 0) + (each[name] ?? 0) * times;
}

/** The number of cases that a check runs if this many are wanted. */
export function withinCases(wanted: number, { minCases, maxCases }: Check['cases']): number {
  return Math.min(maxCases, Math.max(minCases, wanted));
}
