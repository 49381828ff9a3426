import type { EngineCheck } from '../../../engine/suite.ts';
import { variations, wireOf } from '../../../wire/variations.ts';
import type { Judged } from '../judgeOpen.ts';
import { judgeReference } from '../judgeReference.ts';
import type { SetUp } from '../setUp.ts';

/** One variation of the wire to judge the reference behind. Plain data, so that it can be sent to threads. */
export interface VariationJob {
  readonly id: string;
  readonly variation: string;
  readonly seed: number;
  readonly setUp: SetUp;
}

/** An unexpected row: something failed that must not matter, or is no longer decided. */
interface Alarm {
  readonly row: string;
  readonly status: 'fail' | 'inconclusive';
  readonly reason: string;
}

export interface VariationResult {
  readonly job: string;
  readonly variation: string;
  readonly alarms: readonly Alarm[];
  /** Rows that warned: plausible readings that the variation does not follow. */
  readonly warned: readonly string[];
  readonly requests: number;
}

/** Requests for each variation: enough for all checks with several generated cases, those of the limits included. */
const variationRequests = 4100;

export async function runVariation(
  { id, variation: name, seed, setUp }: VariationJob,
  checks: readonly EngineCheck[],
): Promise<VariationResult> {
  const variation = variations.find((one) => one.id === name);
  if (!variation) throw new Error(`there is no variation ${name}`);
  const judged = await judgeReference({
    checks,
    seed,
    setUp,
    maxRequests: variationRequests,
    without: variation.without ?? [],
    wire: (clock) => wireOf(variation, seed, clock),
  });
  return { job: id, variation: name, ...alarmsOf(judged), requests: judged.requests };
}

/** Rows that a conforming deployment must not cause. */
function alarmsOf({ verdicts }: Pick<Judged, 'verdicts'>): Pick<VariationResult, 'alarms' | 'warned'> {
  const rows = [...verdicts].map(([row, verdict]) => ({ row, ...verdict }));
  const alarms = rows.flatMap(({ row, status, reason }): readonly Alarm[] => {
    const isAlarm = status === 'fail' || (status === 'inconclusive' && row.level === 'must');
    return isAlarm ? [{ row: row.id, status, reason }] : [];
  });
  return { alarms, warned: rows.filter(({ status }) => status === 'warn').map(({ row }) => row.id) };
}
