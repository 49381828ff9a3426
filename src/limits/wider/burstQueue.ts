import type { Decision } from '../decision.ts';
import { boundsFor, models } from '../models.ts';
import { perWindow, type Explain } from './wider.ts';

/** A queue that lets requests wait, as many as the documented number a window, and refuses where fewer wait than those. */
export const burstQueue: Explain = ({ decisions, budgets, window }) => {
  const { limit, windowMs } = window;
  const queue = models.find(({ id }) => id === 'leaky-queue');
  if (!queue) return null;
  const { least } = boundsFor(queue, decisions, window);
  // Answers that are late by chance look like a fast queue: only one about as slow as the limit is one.
  if (least < limit / 2 || least > limit * 1.1) return null;
  const waiting = Math.min(...budgets.map(waitingAtRefusals));
  if (waiting < 1 || waiting >= limit) return null;
  return {
    id: 'burst-queue',
    name: `leaky bucket as a queue of ${limit} ${perWindow(windowMs)}, in which up to ${waiting} wait`,
    like: `nginx (limit_req with burst=${waiting}, without nodelay)`,
  };
};

/** The fewest that can have waited where one was refused. */
function waitingAtRefusals(budget: readonly Decision[]): number {
  const refused = budget.filter(({ ruling }) => ruling === 'refused');
  const others = budget.filter(({ ruling }) => ruling !== 'refused');
  const waiting = refused.map(
    (one) => others.filter(({ sent, received }) => sent < one.received && received > one.sent).length,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...waiting);
}
