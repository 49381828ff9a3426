import { holds, violated, unclear, type Judgement } from './judgement.ts';
import type { OracleJudgement } from './oracle.ts';

const nothing: readonly OracleJudgement[] = Object.freeze([]);

/** What an oracle says of an exchange that is no sample of its rules. */
export const noSamples = nothing;

const held = new Map<string, OracleJudgement>();

/** A sample that keeps to the rule; one shared object a requirement, since most samples do. */
export function keeps(requirement: string): OracleJudgement {
  let sample = held.get(requirement);
  if (!sample) held.set(requirement, (sample = Object.freeze({ requirement, judgement: holds })));
  return sample;
}

/** A sample that breaks the rule. */
export function breaks(requirement: string, code: string, expected: string, actual: string): OracleJudgement {
  return { requirement, judgement: violated(code, expected, actual) };
}

/** A sample of which nothing can be said, and why. */
export function undecided(requirement: string, cause: string): OracleJudgement {
  return { requirement, judgement: unclear(cause) };
}

/** The sample that a judgement of a rule makes. */
export function sampleOf(requirement: string, judgement: Judgement): OracleJudgement {
  return judgement.status === 'holds' ? keeps(requirement) : { requirement, judgement };
}
