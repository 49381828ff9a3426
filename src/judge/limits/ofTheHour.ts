import type { Decision } from './decision.ts';
import { leastWeighted, mostWeighted } from './weightedCount.ts';
import { possibleWindow } from './tolerance.ts';

/** Periods over which requests are counted, up to two minutes: a minute limit of any kind forgets within those. */
const stretchesMs = [1000, 5000, 15_000, 30_000, possibleWindow(60_000), 2 * possibleWindow(60_000)];
const minuteMs = 60_000;
const longestMs = 2 * possibleWindow(60_000);

/**
 * A refusal certainly comes from the hour limit if the minute limit cannot have been the cause: it admitted a request that had
 * as many requests just before it, over every period, also by the count of a sliding-window counter, whose windows are aligned
 * anyhow. Any other may come from either limit, so nothing is known about it.
 */
export function ofTheHour(decisions: readonly Decision[]): readonly Decision[] {
  const byAnswer = [...decisions].sort((a, b) => a.received - b.received);
  const admitted = byAnswer.filter(({ ruling }) => ruling === 'admitted');
  const stretches = stretchesFor(decisions);
  const passed = admitted.map((one, index) => certainBefore(one, admitted.slice(0, index), stretches));
  const isHarmless = (before: readonly number[]) =>
    passed.some((counts) => counts.every((count, index) => count >= (before[index] ?? 0)));
  return decisions.map((one) => {
    if (one.ruling !== 'refused' || isHarmless(possibleBefore(one, byAnswer, stretches))) return one;
    return { ...one, ruling: 'unknown', isDisputed: true };
  });
}

/** If an answer takes longer than a period, simultaneous requests are not certain to be decided within it. */
function stretchesFor(decisions: readonly Decision[]): readonly number[] {
  const slowest = decisions.reduce((most, { sent, received }) => Math.max(most, received - sent), 0);
  return stretchesMs.map((ms) => Math.max(ms, Math.min(longestMs, slowest)));
}

/** Of the requests answered no later than this one, the last to be decided had all others sent within a period before it. */
function certainBefore(
  { received }: Decision,
  earlier: readonly Decision[],
  stretches: readonly number[],
): readonly number[] {
  const from = earlier.findLastIndex((other) => other.received < received - longestMs) + 1;
  const near = earlier.slice(from);
  const counts = stretches.map((ms) => near.filter(({ sent }) => sent >= received - ms).length);
  const ages = near.map(({ sent }) => received - sent);
  return [...counts, leastWeighted(ages, minuteMs)];
}

/** Whether refused requests count is open, so they may. */
function possibleBefore(
  one: Decision,
  byAnswer: readonly Decision[],
  stretches: readonly number[],
): readonly number[] {
  const from = byAnswer.findLastIndex(({ received }) => received <= one.sent - longestMs) + 1;
  const near = byAnswer.slice(from).filter((other) => other !== one && other.sent < one.received);
  const counts = stretches.map((ms) => near.filter(({ received }) => received > one.sent - ms).length);
  const ages = near.map(({ received }) => Math.max(0, one.sent - received));
  return [...counts, mostWeighted(ages, possibleWindow(minuteMs))];
}
