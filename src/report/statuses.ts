import { verdictStatuses } from '../judge/kernel/verdict.ts';
import type { RequirementResult } from './result.ts';
import { statusTexts } from './statusTexts.ts';

type Counts = Record<(typeof statusTexts)[keyof typeof statusTexts]['count'], number>;

/** How many rows have each verdict, under the names of the summary. */
export function countVerdicts(rows: readonly RequirementResult[]): Counts {
  const counts = verdictStatuses.map((status) => [
    statusTexts[status].count,
    rows.filter(({ verdict }) => verdict === status).length,
  ]);
  return Object.fromEntries(counts) as Counts;
}
