import type { Decision } from '../decision.ts';
import { boundsFor, models } from '../models.ts';
import { perWindow, type Explain } from './wider.ts';

/** A queue that answers the documented number of requests per window, but refuses when fewer than that are waiting. */
export const burstQueue: Explain = ({ decisions, budgets, window }) => {
  const { limit, windowMs } = window;
  const queue = models.find(({ id }) => id === 'leaky-queue');
  if (!queue) return null;
  const { least } = boundsFor(queue, decisions, window);
  // Answers that happen to be late look like a fast queue: it is only a queue if it is about as slow as the limit.
  if (least < limit / 2 || least > limit * 1.1) return null;
  const waiting = Math.min(...budgets.map(waitingAtRefusals));
  if (waiting < 1 || waiting >= limit) return null;
  return {
    id: 'burst-queue',
    name: `leaky bucket as a queue of ${limit} ${perWindow(windowMs)}, in which up to ${waiting} wait`,
    like: `nginx (limit_req with burst=${waiting}, without nodelay)`,
  };
};

/** The fewest requests that can have been waiting when one was refused. */
function waitingAtRefusals(budget: readonly Decision[]): number {
  const refused = budget.filter(({ ruling }) => ruling === 'refused');
  const others = budget.filter(({ ruling }) => ruling !== 'refused');
  const waiting = refused.map(
    (one) => others.filter(({ sent, received }) => sent < one.received && received > one.sent).length,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...waiting);
}
