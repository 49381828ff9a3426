import { runsAlone } from '../../plan/check.ts';
import type { PlannedCheck } from '../../plan/plan.ts';

/** Most checks that run concurrently if answers are slow: the keys are still paced. */
export const mostWidth = 32;

/** For answers quicker than this, more requests in flight would only queue up at the deployment. */
const quickMs = 40;

/** Number of checks that run concurrently, by the answer time of the deployment: waiting checks cost nothing. */
export function widthAt(
  latencyMs: number,
  { width, mostWidth }: { readonly width: number; readonly mostWidth: number },
): number {
  return Math.min(Math.max(width, mostWidth), Math.max(width, Math.round((width * latencyMs) / quickMs)));
}

/** From this answer time on, consecutive requests decide how long a run takes. */
const slowMs = 100;

export function isSlow(latencyMs: number): boolean {
  return latencyMs >= slowMs;
}

/** How long the consecutive requests of a check may take: less if it has to be alone. */
const mostMs = { alone: 15_000, beside: 60_000 };

/** Fewest cases: with two, tables still send all their rows. */
const leastCases = 2;

/** Number of generated cases of a check if answers are slow: as many as fit into its time, but no fewer than are meaningful. */
export function casesAt(latencyMs: number, { check, cases }: PlannedCheck): number {
  if (!isSlow(latencyMs) || check.kind !== 'property') return cases;
  const most = runsAlone(check, cases) ? mostMs.alone : mostMs.beside;
  let fitting = cases;
  while (
    fitting > Math.max(leastCases, check.cases.minCases) &&
    check.cost(fitting).requests * latencyMs > most
  )
    fitting -= 1;
  return fitting;
}
