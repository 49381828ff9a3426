import { expect, test } from 'vitest';
import { fixedLimiter, simulate } from '../../test/support/limitSimulation.ts';
import { identify } from '../judge/limits/identify.ts';
import { rollingLog } from '../reference/shared/windowCounters.ts';
import { edgeSchedule } from './schedule.ts';
import { hourSchedule } from './hourSchedule.ts';

const seeds = Array.from({ length: 25 }, (_, index) => index);
const minute = { limit: 60, windowMs: 60_000 };

/** How often, of so many networks, a log of some length is seen not to be the documented one. */
function seen(windowMs: number, countsRefused: boolean, delayMs: number, isMoved = true): number {
  const found = seeds.filter((seed) => {
    const limiter = fixedLimiter((limit) => rollingLog(limit, windowMs), { countsRefused })();
    const noise = { delayMs, lost: 0 };
    const decisions = simulate(edgeSchedule(60, 60_000), limiter, { seed, noise, isMoved });
    return !identify(decisions, minute).isDocumented;
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

test('the log of an hour is seen to a tenth of a second', () => {
  const steps = hourSchedule({ perMinute: 60, perHour: 1000 }) ?? [];
  const named = (windowMs: number) => {
    const limiter = fixedLimiter(() => rollingLog(1000, windowMs))();
    const decisions = simulate(steps, limiter, { seed: 1, noise: { delayMs: 5, lost: 0 }, isMoved: true });
    return identify(decisions, { limit: 1000, windowMs: 3_600_000 }).name;
  };
  expect(named(3_600_000)).toBe('rolling log of 1000');
  expect(named(3_600_100)).toBe('rolling log of 1000');
  expect(named(3_599_900)).toBe('rolling log of 1000 in 3588 to 3594 s');
});
