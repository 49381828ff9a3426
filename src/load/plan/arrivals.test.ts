import { expect, test } from 'vitest';
import { arrivalsOf, operationCounts, slicesOf } from './arrivals.ts';
import { dueBy } from '../processes/driveProcesses.ts';
import type { LoadPlan } from './plan.ts';
import { samplePlan } from '../../../test/support/load.ts';

const poisson: LoadPlan = {
  ...samplePlan,
  arrivals: 'poisson',
  ratePerSecond: 50,
  durationMs: 200_000,
  maxRequests: 1e6,
};
const all = (plan: LoadPlan) => slicesOf(plan).flatMap((slice) => [...arrivalsOf(plan, slice)]);

test('steady arrivals keep the same distance, over the edges of slices as well', () => {
  const times = all({ ...samplePlan, ratePerSecond: 7 }).map(({ atMs }) => atMs);
  expect(times).toHaveLength(21);
  times.forEach((atMs, index) => expect(atMs).toBeCloseTo((index * 1000) / 7, 6));
});

test('a rate below one a second has slices without arrivals, which are left out', () => {
  const plan = { ...samplePlan, ratePerSecond: 0.4, durationMs: 6000 };
  expect(slicesOf(plan).map(({ index, count }) => [index, count])).toEqual([
    [0, 1],
    [2, 1],
    [5, 1],
  ]);
});

test('Poisson arrivals have the mean rate, and gaps as spread as they are long', () => {
  const times = all(poisson).map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  expect(mean).toBeGreaterThan(19);
  expect(mean).toBeLessThan(21);
  // The deviation of an exponential distribution equals its mean; the edges of slices do not change that.
  expect(spread / mean).toBeGreaterThan(0.93);
  expect(spread / mean).toBeLessThan(1.07);
});

test('the same seed gives the same load, another seed another one', () => {
  expect(all(poisson)).toEqual(all(poisson));
  expect(all({ ...poisson, seed: 8 })[5]).not.toEqual(all(poisson)[5]);
});

test.each(['steady', 'poisson'] as const)(
  '%s arrivals are numbered without a gap and in order',
  (arrivals) => {
    const list = all({ ...poisson, arrivals, durationMs: 5000 });
    expect(list.map(({ index }) => index)).toEqual(list.map((_one, place) => place));
    expect(list.map(({ atMs }) => atMs)).toEqual(list.map(({ atMs }) => atMs).sort((a, b) => a - b));
  },
);

test('never more arrivals than allowed', () => {
  expect(all({ ...samplePlan, maxRequests: 33 })).toHaveLength(33);
});

test('operations come by their weights', () => {
  const counts = operationCounts({ ...poisson, arrivals: 'steady' });
  const share = (counts.get('wci.status') ?? 0) / 10_000;
  expect(share).toBeGreaterThan(0.73);
  expect(share).toBeLessThan(0.77);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(10_000);
});

test.each([0, 499, 1000, 2345, 3000, 9000])(
  'of three shares as many are due within %d ms as of the whole',
  (atMs) => {
    const plan: LoadPlan = { ...poisson, durationMs: 3000 };
    const shares = [0, 1, 2].map((share) =>
      all(plan).filter((one) => one.index % 3 === share && one.atMs <= atMs),
    );
    expect([0, 1, 2].map((share) => dueBy(plan, { share, of: 3 }, atMs))).toEqual(
      shares.map(({ length }) => length),
    );
  },
);
