import type { Decision } from './decision.ts';
import { possibleWindow } from './tolerance.ts';

/** Stretches of time over which requests are counted, up to two minutes: a minute of any kind forgets within those. */
const stretchesMs = [1000, 5000, 15_000, 30_000, possibleWindow(60_000), 2 * possibleWindow(60_000)];
const longestMs = 2 * possibleWindow(60_000);

/**
 * A refusal is one of the hour for certain where the minute cannot have been the cause: where it has let one through that had
 * as many requests close behind it, over every stretch of time. Any other may be of either limit, so that nothing is known of it.
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
    return { ...one, ruling: 'unknown' };
  });
}

/** Where an answer takes longer than a stretch, requests of one moment are not certain to be decided within it. */
function stretchesFor(decisions: readonly Decision[]): readonly number[] {
  const slowest = decisions.reduce((most, { sent, received }) => Math.max(most, received - sent), 0);
  return stretchesMs.map((ms) => Math.max(ms, Math.min(longestMs, slowest)));
}

/** Of those that were answered no later than one, the last to be decided had all others that were sent within a stretch. */
function certainBefore(
  { received }: Decision,
  earlier: readonly Decision[],
  stretches: readonly number[],
): readonly number[] {
  const from = earlier.findLastIndex((other) => other.received < received - longestMs) + 1;
  const near = earlier.slice(from);
  return stretches.map((ms) => near.filter(({ sent }) => sent >= received - ms).length);
}

/** Whether refused requests count is open: they may. */
function possibleBefore(
  one: Decision,
  byAnswer: readonly Decision[],
  stretches: readonly number[],
): readonly number[] {
  const from = byAnswer.findLastIndex(({ received }) => received <= one.sent - longestMs) + 1;
  const near = byAnswer.slice(from).filter((other) => other !== one && other.sent < one.received);
  return stretches.map((ms) => near.filter(({ received }) => received > one.sent - ms).length);
}
