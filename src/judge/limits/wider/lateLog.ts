import { boundsFor, documentedLog } from '../models.ts';
import { areWithin } from '../tolerance.ts';
import type { Decision } from '../decision.ts';
import type { Explain } from './wider.ts';

/** A store that is later than this is named differently. */
const mostMs = 5000;
const stepMs = 100;

/** The documented log in a store where counts become visible only later, as in one that is spread over machines. */
export const lateLog: Explain = ({ decisions, budgets, window }) => {
  const { most } = boundsFor(documentedLog, decisions, window);
  if (most < window.limit) return null;
  for (let lagMs = stepMs; lagMs <= mostMs; lagMs += stepMs) {
    const isExplained = budgets.every((budget) => seenBy(budget, window.windowMs, lagMs) < window.limit);
    if (!isExplained) continue;
    const name = `rolling log of ${window.limit} that counts at least ${lagMs / 1000} s late`;
    return { id: 'late-log', name, like: 'a count that several machines share and only agree on later' };
  }
  return null;
};

/** Most requests that an admitted one certainly found in its window, counting those already visible when it was sent. */
function seenBy(budget: readonly Decision[], windowMs: number, lagMs: number): number {
  const admitted = budget.filter(({ ruling }) => ruling === 'admitted');
  const seen = (one: Decision) =>
    admitted.filter((other) => other.received + lagMs < one.sent && areWithin(other, one, windowMs)).length;
  return Math.max(0, ...admitted.map(seen));
}
