import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Check } from './check.ts';

/** What a check waits for if nothing runs at the same time and no limit interferes. */
export interface CheckTime {
  /** Number of answers that it waits for one after another. */
  readonly turns: number;
  /** Number of deliveries that it waits for one after another. */
  readonly waits: number;
  /** Milliseconds that it waits for anything else. */
  readonly restMs: number;
}

/** Recorded times of a check; missing numbers are 0. */
export interface RecordedTime {
  /** With the fewest cases. */
  readonly least: Partial<CheckTime>;
  /** With one more case; same as `least` by default. */
  readonly more?: Partial<CheckTime>;
  /** What each further case adds. */
  readonly each?: Partial<CheckTime>;
}

/** Times by the id of the check. */
export type RecordedTimes = Readonly<Record<string, RecordedTime>>;

/** The file of recorded times; `npm run costs` writes it. */
export const timesFile = (): string => join(packageRoot(), 'fixtures', 'times.json');

let own: RecordedTimes | undefined;

/** Times of all checks in runs against the reference. Read only once. */
export function recordedTimes(): RecordedTimes {
  own ??= JSON.parse(readFileSync(timesFile(), 'utf8')) as RecordedTimes;
  return own;
}

/** The times of a check with this many cases. One that was not recorded yet waits for each of its requests. */
export function timeOf({ id, cases: { minCases, maxCases }, cost }: Check, cases: number): CheckTime {
  const recorded = recordedTimes()[id];
  if (!recorded) return { turns: cost(cases).requests, waits: 0, restMs: 0 };
  const { least, more = least, each = {} } = recorded;
  const further = Math.min(maxCases, Math.max(minCases, cases)) - minCases;
  const [base, times] = further === 0 ? [least, 0] : [more, further - 1];
  const of = (part: keyof CheckTime) => Math.max(0, (base[part] ?? 0) + (each[part] ?? 0) * times);
  return { turns: of('turns'), waits: of('waits'), restMs: of('restMs') };
}
