import type { Decision } from './decision.ts';
import { possibleWindow } from './tolerance.ts';
import { countBelow, countUpTo } from './models/windowCounts.ts';

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

/**
 * What a sliding-window counter counts of requests of these ages, at least over all ways in which its windows can be aligned: those
 * of the current window, which is up to a window old, and those of the one before by its share that is still within a window.
 */
function leastWeighted(ages: readonly number[], windowMs: number): number {
  // A request at the very edge falls into the older window, which counts less.
  return Math.min(...countsAt(ages, windowMs, countBelow));
}

/** The same, at most. */
function mostWeighted(ages: readonly number[], windowMs: number): number {
  return Math.max(...countsAt(ages, windowMs, countUpTo));
}

/** The count by how long ago the current window began. */
function countsAt(
  ages: readonly number[],
  windowMs: number,
  countYounger: typeof countBelow,
): readonly number[] {
  const ascending = ages.toSorted((a, b) => a - b);
  return turns(ages, windowMs).map((turned) => {
    const current = countYounger(ascending, turned);
    const within = countYounger(ascending, turned + windowMs);
    return current + (within - current) * (1 - turned / windowMs);
  });
}

/** How long ago the current window can have begun: between these the count only falls. */
function turns(ages: readonly number[], windowMs: number): readonly number[] {
  const edges = ages.flatMap((age) => [age, age - windowMs]);
  return [0, windowMs, ...edges.filter((edge) => edge > 0 && edge < windowMs)];
}
