import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../../test/support/load.ts';
import { arrivalsOf, slicesOf } from '../plan/arrivals.ts';
import { partSize } from './performPart.ts';
import { shareOf, stretchesOf } from './messages.ts';

const plan = { ...samplePlan, ratePerSecond: 37, durationMs: 12_500, maxRequests: 430 };

describe.each([2, 41, 200])('parts of %i workers', (workers) => {
  const stretches = stretchesOf(plan, workers);

  test('all shares together are the schedule, each arrival once', () => {
    const shares = Array.from({ length: workers }, (_, share) => share);
    const sent = stretches.flatMap((one) => shares.flatMap((share) => shareOf(plan, one, share, workers)));
    const all = slicesOf(plan).flatMap((slice) => [...arrivalsOf(plan, slice)]);
    expect(sent.map(({ index }) => index).sort((a, b) => a - b)).toEqual(all.map(({ index }) => index));
    expect(sent.toSorted((a, b) => a.index - b.index)).toEqual(all);
  });

  test('the size of a part is known without making it', () => {
    for (const slice of stretches)
      for (const share of [0, 1, workers - 1])
        expect(partSize({ runId: 'run', slice, share }, workers)).toBe(
          shareOf(plan, slice, share, workers).length,
        );
  });
});

test('few workers get a part each second, many one in five', () => {
  expect(stretchesOf(plan, 4).map(({ fromMs, toMs }) => toMs - fromMs)).toEqual([
    ...Array.from({ length: 11 }, () => 1000),
    1000,
  ]);
  expect(stretchesOf(plan, 200).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [0, 5000],
    [5000, 10_000],
    [10_000, 12_000],
  ]);
});
