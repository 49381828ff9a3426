import type { Evidence } from '../../core/evidence.ts';
import type { Judgement, Violated } from './judgement.ts';

/** A judgement of one requirement by one piece of evidence. */
export interface Sample {
  readonly requirement: string;
  readonly judgement: Judgement;
  /** What shows it, in order; left out where it is what the oracle was just shown. */
  readonly evidence?: readonly Evidence[];
}

/** A sample that breaks its requirement, with what shows it. */
export interface Violation extends Sample {
  readonly judgement: Violated;
  readonly evidence: readonly Evidence[];
}

/** What an oracle says of evidence that is no sample of its rules. */
export const noSamples: readonly Sample[] = Object.freeze([]);

const shared = { holds: new Map<string, Sample>(), 'not-applicable': new Map<string, Sample>() };

/** The sample that a judgement makes; one shared object for a requirement where there is nothing to tell, as of most. */
export function sampleOf(requirement: string, judgement: Judgement): Sample {
  if (judgement.status === 'violated' || judgement.status === 'unclear') return { requirement, judgement };
  const known = shared[judgement.status];
  let sample = known.get(requirement);
  if (!sample) known.set(requirement, (sample = Object.freeze({ requirement, judgement })));
  return sample;
}
