import { matches } from '../../../catalogue/pattern.ts';
import { variations } from '../../../wire/variations.ts';
import type { VariationJob, VariationResult } from './variationJob.ts';
import type { WireSettings } from './wireSettings.ts';

/** The result of a proof of the wire. */
export interface WireProof {
  readonly variations: readonly VariationResult[];
  /** For a proof in front of somebody's target: what was tried with what. Missing for the reference. */
  readonly onTarget?: readonly string[];
}

/** A job for each variation with each of its seeds. */
export function variationJobs({
  seed,
  variation: patterns,
  rounds,
  setUp,
}: WireSettings): readonly VariationJob[] {
  const chosen = variations.filter(({ id }) => isChosen(patterns, id));
  return Array.from({ length: rounds }, (_, round) => seed + round).flatMap((one) =>
    chosen.map(({ id }) => ({
      ...{ id: `${id}#${one}`, variation: id, seed: one },
      setUp: setUp ?? 'embedded',
    })),
  );
}

/** Whether the patterns ask for a variation; without patterns all are meant. */
export function isChosen(patterns: readonly string[], id: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, id));
}

/** Variations behind which something failed, or a must was no longer decided. */
export function alarmed(results: readonly VariationResult[]): readonly VariationResult[] {
  return results.filter(({ alarms }) => alarms.length > 0);
}

/** Whether the proof holds: variations were tried, and none raised an alarm. */
export function isWireProved({ variations: results }: WireProof): boolean {
  return results.length > 0 && alarmed(results).length === 0;
}
