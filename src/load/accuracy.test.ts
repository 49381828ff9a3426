import { describe, expect, test } from 'vitest';
import { createRandom } from '../core/random.ts';
import type { WindowLimit } from '../core/windowLimit.ts';
import { judgeAccuracy, type LimiterRuling, type KeyDecision } from './accuracy.ts';

const minute: WindowLimit = { limit: 3, windowMs: 60_000 };
const decided = (...list: readonly (readonly [number, number, LimiterRuling])[]): KeyDecision[] =>
  list.map(([sent, received, decision]) => ['primary#1', sent, received, decision]);
const admitted = (...times: readonly number[]) =>
  decided(...times.map((at) => [at, at + 10, 'admitted'] as const));

describe('over-admission', () => {
  test('one more than the limit, all within less than a window, is certain', () => {
    const { overAdmitted } = judgeAccuracy(admitted(0, 1000, 2000, 59_980), [minute]);
    expect(overAdmitted).toEqual([{ key: 'primary#1', limit: 3, windowMs: 60_000, admitted: 4, from: 0 }]);
  });

  test('the same a little further apart may lie in two windows: nothing is said', () => {
    expect(judgeAccuracy(admitted(0, 1000, 2000, 59_995), [minute]).overAdmitted).toEqual([]);
  });

  test('an answer that took long proves nothing about when it was decided', () => {
    const slow = decided(
      [0, 10, 'admitted'],
      [20, 30, 'admitted'],
      [40, 50, 'admitted'],
      [60, 61_000, 'admitted'],
    );
    expect(judgeAccuracy(slow, [minute]).overAdmitted).toEqual([]);
  });

  test('answers that need not count, and other keys, are left out', () => {
    const mixed: KeyDecision[] = [
      ...admitted(0, 10, 20),
      ...decided([30, 40, 'unknown']),
      ['primary#2', 30, 40, 'admitted'],
    ];
    expect(judgeAccuracy(mixed, [minute]).overAdmitted).toEqual([]);
  });

  test('the same instants as a count over all windows finds', () => {
    const random = createRandom(5);
    for (let round = 0; round < 200; round += 1) {
      const list = Array.from({ length: 12 }, () => {
        const sent = Math.floor(random() * 20) * 10_000;
        return [sent, sent + Math.floor(random() * 4) * 10_000, 'admitted'] as const;
      });
      const [found] = judgeAccuracy(decided(...list), [minute]).overAdmitted;
      const most = Math.max(
        ...list.map(([from]) => list.filter(([s, r]) => s >= from && r < from + 60_000).length),
      );
      expect(found?.admitted ?? 0).toBe(most > 3 ? most : 0);
    }
  });
});

describe('under-admission', () => {
  test('refused with too few others in the window, whether those count or not', () => {
    const list = decided([0, 10, 'admitted'], [100, 110, 'refused'], [200, 210, 'refused']);
    expect(judgeAccuracy(list, [minute]).underAdmitted).toEqual([
      { key: 'primary#1', count: 2, first: 100, atMost: 1, limit: 3 },
    ]);
  });

  test('a request whose answer was lost may have counted', () => {
    const list = decided(
      [0, 10, 'admitted'],
      [20, 10_030, 'unknown'],
      [40, 50, 'unknown'],
      [100, 110, 'refused'],
    );
    expect(judgeAccuracy(list, [minute]).underAdmitted).toEqual([]);
  });

  test('a store that counts whole seconds may still hold what is a second too old', () => {
    const list = [...admitted(0, 1, 2), ...decided([61_000, 61_010, 'refused'])];
    expect(judgeAccuracy(list, [minute]).underAdmitted).toEqual([]);
    const late = [...admitted(0, 1, 2), ...decided([62_100, 62_110, 'refused'])];
    expect(judgeAccuracy(late, [minute]).underAdmitted).toHaveLength(1);
  });

  test('what the other limit holds back is no mistake of this one', () => {
    const hour: WindowLimit = { limit: 2, windowMs: 3_600_000 };
    const list = [...admitted(0, 1), ...decided([100_000, 100_010, 'refused'])];
    expect(judgeAccuracy(list, [minute, hour]).underAdmitted).toEqual([]);
  });
});

test('a rolling log expects as many refusals as it would make itself', () => {
  const list = [...admitted(0, 1, 2), ...decided([10, 20, 'refused'], [60_100, 60_110, 'admitted'])];
  // Where refused ones count, the last one finds the refused one and two others in its window, hence room as well.
  expect(judgeAccuracy(list, [minute])).toMatchObject({ admitted: 4, refused: 1, expectedRefused: [1, 1] });
});
