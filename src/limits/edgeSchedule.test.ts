import { expect, test } from 'vitest';
import { fixedLimiter, simulate } from '../../test/support/limitSimulation.ts';
import { allows } from '../judge/limits/bounds.ts';
import { rollingLog as boundsOfLog } from '../judge/limits/models/rollingLog.ts';
import { rollingLog } from '../reference/shared/windowCounters.ts';
import { hourSchedule, edgeSchedule } from './schedule.ts';

const seeds = Array.from({ length: 25 }, (_, index) => index);

/** Through how many of so many networks a log of some length is seen not to be the documented one, whatever counts. */
function seen(windowMs: number, countsRefused: boolean, delayMs: number, isMoved = true): number {
  const found = seeds.filter((seed) => {
    const limiter = fixedLimiter((limit) => rollingLog(limit, windowMs), { countsRefused })();
    const noise = { delayMs, lost: 0 };
    const decisions = simulate(edgeSchedule(60, 60_000), limiter, { seed, noise, isMoved });
    return ![false, true].some((counts) =>
      allows(boundsOfLog(decisions, 60_000, { countsRefused: counts, racy: false }), 60),
    );
  });
  return found.length;
}

test.each([57_000, 58_500, 59_000])('a window of %i ms is seen through a network', (windowMs) => {
  expect(seen(windowMs, false, 40)).toBeGreaterThan(0.9 * seeds.length);
});

test.each([60_000, 60_100, 61_000])('a window of %i ms is blamed through no network', (windowMs) => {
  for (const countsRefused of [false, true])
    for (const delayMs of [0, 40, 2000]) expect(seen(windowMs, countsRefused, delayMs)).toBe(0);
});

test('a window of 59.9 s is seen where answers are quick and the clock is moved', () => {
  expect(seen(59_900, false, 5)).toBe(seeds.length);
  expect(seen(59_900, false, 5, false)).toBe(0);
});

test.each([
  [3_599_900, 1001],
  [3_600_000, 1000],
  [3_600_100, 1000],
])('an hour of %i ms admits %i within an hour for certain', (windowMs, most) => {
  const steps = hourSchedule({ perMinute: 60, perHour: 1000 }) ?? [];
  const limiter = fixedLimiter(() => rollingLog(1000, windowMs))();
  const decisions = simulate(steps, limiter, { seed: 1, noise: { delayMs: 5, lost: 0 }, isMoved: true });
  const { least } = boundsOfLog(decisions, 3_600_000, { countsRefused: false, racy: false });
  expect(least).toBe(most);
});
