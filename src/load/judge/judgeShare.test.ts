import { expect, test } from 'vitest';
import { JudgeShare } from './judgeShare.ts';

function judged(fixed: number | null, busy: (second: number) => number, isWrite = false) {
  let ms = 0;
  const share = new JudgeShare({
    seed: 3,
    fixed,
    clock: { monotonic: () => ms },
    busy: () => busy(Math.floor(ms / 1000)),
  });
  const taken: boolean[] = [];
  for (; ms < 20_000; ms += 10) taken.push(share.takes(isWrite));
  return { taken, counts: share.counts };
}

test('all is judged while there is time, and less and less while there is none', () => {
  expect(judged(null, () => 0.2).counts).toEqual({ seen: 2000, judged: 2000, leastShare: 1 });
  const { counts, taken } = judged(null, (second) => (second < 10 ? 0.95 : 0.1));
  expect(counts.leastShare).toBeLessThan(0.01);
  expect(taken.filter(Boolean)).toHaveLength(counts.judged);
  // Everything again, once there is time.
  expect(taken.slice(-100).every(Boolean)).toBe(true);
});

test('a share that was asked for stays, and the seed chooses', () => {
  const one = judged(0.1, () => 1);
  expect(one.counts.judged).toBeGreaterThan(140);
  expect(one.counts.judged).toBeLessThan(260);
  expect(judged(0.1, () => 0).taken).toEqual(one.taken);
});

test('what changes something is always judged, unless nothing is to be', () => {
  expect(judged(0.01, () => 1, true).counts.judged).toBe(2000);
  expect(judged(0, () => 0, true).counts.judged).toBe(0);
});
