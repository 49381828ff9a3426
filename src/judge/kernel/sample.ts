import type { Evidence } from '../../core/evidence.ts';
import { holds, type Judgement, type Violated } from './judgement.ts';

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

const held = new Map<string, Sample>();

/** The sample that a judgement makes; one shared object for a requirement that holds, since most do. */
export function sampleOf(requirement: string, judgement: Judgement): Sample {
  if (judgement.status !== 'holds') return { requirement, judgement };
  let sample = held.get(requirement);
  if (!sample) held.set(requirement, (sample = Object.freeze({ requirement, judgement: holds })));
  return sample;
}
