import { matches } from '../../../catalogue/pattern.ts';
import { variations } from '../../../wire/variations.ts';
import type { WireSettings } from './wireSettings.ts';
import type { VariationJob, VariationResult } from './variationJob.ts';

/** Each variation with each of its seeds. */
export function variationJobs({ seed, variation: patterns, rounds }: WireSettings): readonly VariationJob[] {
  const chosen = variations.filter(({ id }) => isChosen(patterns, id));
  return Array.from({ length: rounds }, (_, round) => seed + round).flatMap((one) =>
    chosen.map(({ id }) => ({ kind: 'variation' as const, id: `${id}#${one}`, variation: id, seed: one })),
  );
}

export function isChosen(patterns: readonly string[], id: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, id));
}

/** Variations after which something failed, or a must could no longer be told. */
export function alarmed(results: readonly VariationResult[]): readonly VariationResult[] {
  return results.filter(({ alarms }) => alarms.length > 0);
}
