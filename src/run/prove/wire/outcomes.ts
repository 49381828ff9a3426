import type { Mutant } from '../../../wire/mutants/place.ts';
import { acceptedAs, type AcceptedGroup } from './accepted.ts';
import { isOpen, type MutantResult, type MutantStatus } from './trial.ts';

/** The outcome of a mutant; `accepted` if it was not noticed, and need not be. */
type Outcome = MutantStatus | 'accepted';

export interface MutantOutcome {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  readonly rows: readonly string[];
  /** What the checks said, or why it is accepted. */
  readonly reason: string;
  /** A must failed because of an accepted mutant: either the pattern or the check is wrong. */
  readonly contradicts: boolean;
}

/** The outcomes of the mutants, with conforming ones separate. */
export function outcomesOf(
  mutants: readonly Mutant[],
  results: readonly MutantResult[],
  accepted: readonly AcceptedGroup[],
): readonly MutantOutcome[] {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  return results.flatMap(({ job, status, rows, reason, severity }): readonly MutantOutcome[] => {
    const mutant = byId.get(job);
    if (!mutant) return [];
    const group = acceptedAs(mutant, accepted);
    if (group && isOpen({ status }))
      return [{ mutant, outcome: 'accepted', rows, reason: group.because, contradicts: false }];
    const contradicts = group !== null && !group.partly && severity === 'fail';
    return [{ mutant, outcome: status, rows, reason, contradicts }];
  });
}

/** Whether an outcome counts: neither accepted nor without any effect. */
export function counts({ outcome }: Pick<MutantOutcome, 'outcome'>): boolean {
  return outcome !== 'accepted' && outcome !== 'idle';
}

/** Mutants that no check noticed, though they do not conform. */
export function survivorsOf(outcomes: readonly MutantOutcome[]): readonly MutantOutcome[] {
  return outcomes.filter((one) => counts(one) && one.outcome !== 'noticed');
}
