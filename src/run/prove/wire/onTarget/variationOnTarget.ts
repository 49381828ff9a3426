import type { CatalogueRow } from '../../../../catalogue/row.ts';
import type { VerdictStatus } from '../../../../judge/kernel/verdict.ts';
import { wireOf, type Variation } from '../../../../wire/variations.ts';
import type { Judged } from '../../judgeOpen.ts';
import type { VariationResult } from '../variationJob.ts';
import { judgeTarget, type TargetPorts } from './judgeTarget.ts';

interface VariationRun {
  readonly ports: TargetPorts;
  readonly variation: Variation;
  readonly seed: number;
  /** What the same checks say if nothing is changed. */
  readonly plain: Judged;
  readonly signal: AbortSignal;
}

/**
 * Judges a target behind a variation. An alarm is something that fails or stays undecided only behind the variation, not without
 * it with the same checks and seed, and again behind it with another seed. Null if the time ended before.
 */
export async function varyTarget(run: VariationRun): Promise<VariationResult | null> {
  const { ports, variation, seed, plain, signal } = run;
  const varied = (drawn: number, among?: ReadonlySet<string>) =>
    judgeTarget(ports, {
      ...{ seed: drawn, among, signal, without: variation.without },
      wire: (clock) => wireOf(variation, seed, clock),
    });
  const judged = await varied(seed);
  if (isOver(signal)) return null;
  const worse = worseThan(plain, judged);
  const job = `${variation.id}#${seed}`;
  const result = { job, variation: variation.id, warned: [], requests: judged.requests };
  if (worse.length === 0) return { ...result, alarms: [] };
  const control = await judgeTarget(ports, { seed, signal, among: checksOf(worse, judged) });
  if (isOver(signal)) return null;
  const own = statusesOf(control);
  const suspects = worse.filter(({ row, status }) => own.get(row.id) !== status);
  if (suspects.length === 0) return { ...result, alarms: [] };
  // Effects of chance or of other runs' records do not come again.
  const again = statusesOf(await varied(seed + 1, checksOf(suspects, judged)));
  if (isOver(signal)) return null;
  const alarms = suspects
    .filter(({ row, status }) => again.get(row.id) === status)
    .map(({ row, status, reason }) => ({ row: row.id, status, reason }));
  return { ...result, alarms };
}

interface Worse {
  readonly row: CatalogueRow;
  readonly status: 'fail' | 'inconclusive';
  readonly reason: string;
}

function worseThan(plain: Judged, { verdicts }: Judged): readonly Worse[] {
  const before = statusesOf(plain);
  return [...verdicts].flatMap(([row, { status, reason }]): readonly Worse[] => {
    const was = before.get(row.id);
    const isFailing = status === 'fail' && was !== 'fail' && was !== 'warn';
    const isLost = status === 'inconclusive' && row.level === 'must' && was === 'pass';
    return isFailing || isLost ? [{ row, status, reason }] : [];
  });
}

function statusesOf({ verdicts }: Judged): ReadonlyMap<string, VerdictStatus> {
  return new Map([...verdicts].map(([{ id }, { status }]) => [id, status]));
}

/** The checks that said so; all of them if it was an oracle. */
function checksOf(worse: readonly Worse[], { outcomes }: Judged): ReadonlySet<string> | undefined {
  const saying = worse.map(({ row, status }) =>
    outcomes.filter(({ verdicts, requests }) => verdicts.get(row.id)?.status === status && requests > 0),
  );
  return saying.some((some) => some.length === 0)
    ? undefined
    : new Set(saying.flat().map(({ check }) => check));
}

/** Called anew each time, since it changes during an await. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
