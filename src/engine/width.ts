import { runsAlone } from '../plan/check.ts';
import type { PlannedCheck } from '../plan/plan.ts';

/** Checks that run side by side at most, where answers are slow: the keys are paced all the same. */
export const mostWidth = 32;

/** Up to this many milliseconds for an answer, more requests in flight would only queue up at the deployment. */
const quickMs = 40;

/** Checks that run side by side, by how long the deployment takes for an answer: those that wait for one cost nothing. */
export function widthAt(
  latencyMs: number,
  { width, mostWidth }: { readonly width: number; readonly mostWidth: number },
): number {
  return Math.min(Math.max(width, mostWidth), Math.max(width, Math.round((width * latencyMs) / quickMs)));
}

/** From so many milliseconds for an answer on, what is sent one after the other decides how long a run takes. */
const slowMs = 100;

export function isSlow(latencyMs: number): boolean {
  return latencyMs >= slowMs;
}

/** How long a check may take for what it sends one after the other: less where it has to be alone. */
const mostMs = { alone: 15_000, beside: 60_000 };

/** So few cases say as much of each row as one: tables send all their rows. */
const leastCases = 2;

/** Generated cases of a check where answers are slow: as many as fit into its time, but no fewer than say anything. */
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
