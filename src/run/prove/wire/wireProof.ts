import { matches } from '../../../catalogue/pattern.ts';
import { sampleMutants, type TabledMutant } from '../../../wire/mutants/table.ts';
import { variations } from '../../../wire/variations.ts';
import { acceptedAs, type AcceptedGroup } from './accepted.ts';
import type { MutantJob } from './mutantJob.ts';
import { survivorsOf, type MutantOutcome } from './outcomes.ts';
import type { VariationJob, VariationResult } from './variationJob.ts';
import { sumsOf } from './wireMap.ts';
import type { WireSettings } from './wireSettings.ts';

/** The result of a proof of the wire. */
export interface WireProof {
  readonly variations: readonly VariationResult[];
  readonly mutants: readonly MutantOutcome[];
  /** Patterns of accepted mutants that match no mutant; empty if not all mutants were tried. */
  readonly stale: readonly string[];
  /** Percentage of the mutants that has to be noticed. */
  readonly least: number;
  /** For a proof in front of somebody's target: what was tried with what. Missing for the reference. */
  readonly onTarget?: readonly string[];
}

/** A job for each variation with each of its seeds. */
export function variationJobs(settings: WireSettings): readonly VariationJob[] {
  const { seed, variation, mutant, rounds } = settings;
  const setUp = settings.setUp ?? 'embedded';
  const isAsked = variation.length > 0 || mutant.length === 0;
  const chosen = isAsked ? variations.filter(({ id }) => isChosen(variation, id)) : [];
  return Array.from({ length: rounds }, (_, round) => seed + round).flatMap((one) =>
    chosen.map(({ id }) => ({
      kind: 'variation' as const,
      id: `${id}#${one}`,
      variation: id,
      seed: one,
      setUp,
    })),
  );
}

/** The requested mutants, or a sample of them. */
export function mutantJobs(
  table: readonly TabledMutant[],
  settings: WireSettings,
  accepted: readonly AcceptedGroup[],
): readonly MutantJob[] {
  const { seed, mutant: patterns, sample } = settings;
  if (!asksForMutants(settings)) return [];
  const chosen = table.filter(({ mutant }) => isChosen(patterns, mutant.id));
  return sampleMutants(chosen, sample ?? chosen.length, seed).map(({ mutant, checks }) => ({
    ...{ kind: 'mutant' as const, id: mutant.id, mutant, checks, seed },
    retried: acceptedAs(mutant, accepted) === null,
  }));
}

export function asksForMutants({ variation, mutant }: WireSettings): boolean {
  return mutant.length > 0 || variation.length === 0;
}

function isChosen(patterns: readonly string[], id: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, id));
}

/** Variations behind which something failed, or a must was no longer decided. */
export function alarmed(results: readonly VariationResult[]): readonly VariationResult[] {
  return results.filter(({ alarms }) => alarms.length > 0);
}

/** Whether the proof holds: no alarm, no contradiction, nothing stale, and nearly every mutant noticed. */
export function isWireProved({ variations: results, mutants, stale, least }: WireProof): boolean {
  const score = sumsOf(mutants).score ?? 100;
  const contradictions = mutants.some(({ contradicts }) => contradicts);
  return alarmed(results).length === 0 && stale.length === 0 && !contradictions && score >= least;
}

/** Survivors by what they have in common, the most frequent first. */
export function survivorGroups(
  mutants: readonly MutantOutcome[],
): readonly (readonly [name: string, survivors: readonly MutantOutcome[]])[] {
  const groups = Map.groupBy(survivorsOf(mutants), ({ mutant: { family, about, status, carrier, path } }) =>
    `${family} ${about} ${status ?? carrier ?? ''} ${path}`.trimEnd(),
  );
  return [...groups].sort(([, one], [, two]) => two.length - one.length);
}
