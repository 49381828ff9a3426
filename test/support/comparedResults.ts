import { diffResults } from '../../src/report/compare/diffResults.ts';
import type { RequirementResult, RunResult } from '../../src/report/result.ts';
import { sampleRequirement, sampleResult } from './sampleResult.ts';

export type Verdict = RequirementResult['verdict'];

/** A result with one must of this verdict, plus what is given. */
export function resultOf(
  verdict: Verdict,
  more: Partial<RunResult> = {},
  row: Partial<RequirementResult> = {},
): RunResult {
  const reason = verdict === 'pass' ? null : `because it is ${verdict}`;
  return sampleResult({
    requirements: [sampleRequirement({ verdict, reason, ...row })],
    openPoints: [],
    ...more,
  });
}

export const compare = (before: RunResult, after: RunResult) =>
  diffResults(before, after, { tolerance: 0.5 });

/** An open point, and what was seen of it. */
export const point = (observed: string | null, id = 'WCI-OPN-012') => ({
  openPoints: [{ id, title: 'How often?', observed, pinned: null }],
});
