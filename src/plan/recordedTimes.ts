import type { Check } from './check.ts';
import { numberOf, recordedFile } from './recorded.ts';

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
