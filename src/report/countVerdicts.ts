import type { RequirementResult } from './result.ts';

/** How many rows have each verdict, under the names of the summary. */
export function countVerdicts(rows: readonly RequirementResult[]) {
  const count = (verdict: RequirementResult['verdict']) =>
    rows.filter((row) => row.verdict === verdict).length;
  return {
    passed: count('pass'),
    failed: count('fail'),
    warned: count('warn'),
    observed: count('observed'),
    skipped: count('skipped'),
    inconclusive: count('inconclusive'),
  };
}
