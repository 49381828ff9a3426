import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../core/random.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';
import type { LimiterRuling, KeyDecision } from './accuracy.ts';
import { LimiterAccuracy } from './limiterAccuracy.ts';
import type { Accuracy } from '../summary/summarySchema.ts';

/** The decisions as one sender sees them: in the order of the answers. */
function judgeAccuracy(decisions: readonly KeyDecision[], limits: readonly WindowLimit[]): Accuracy {
  const book = new LimiterAccuracy(limits);
  for (const decision of decisions.toSorted((one, other) => one[2] - other[2])) book.add(decision);
  return book.summary;
}

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
  // If refused ones count, the last one finds the refused one and two others in its window, hence room as well.
  expect(judgeAccuracy(list, [minute])).toMatchObject({ admitted: 4, refused: 1, expectedRefused: [1, 1] });
});

describe('as if all requests were kept', () => {
  const limits: readonly WindowLimit[] = [
    { limit: 3, windowMs: 60_000 },
    { limit: 7, windowMs: 300_000 },
  ];
  const ruling = fc.constantFrom<LimiterRuling>('admitted', 'admitted', 'refused', 'unknown');
  const times = fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 90 }));
  const decision = fc
    .tuple(fc.constantFrom('primary#1', 'primary#2'), times, ruling)
    .map(([key, [sent, ms], kind]): KeyDecision => [key, sent * 1000, (sent + ms) * 1000, kind]);
  const all = fc.array(decision, { maxLength: 40 });

  test('early refusals are those with too few others in the windows of all limits', () => {
    fc.assert(
      fc.property(all, (decisions) => {
        const early = decisions.filter(
          (one) =>
            one[3] === 'refused' && limits.every((limit) => others(decisions, one, limit) < limit.limit),
        );
        const { underAdmitted } = judgeAccuracy(decisions, limits);
        const count = underAdmitted.reduce((sum, one) => sum + one.count, 0);
        // Requests sent after a refusal and answered before it are counted as well: fewer are blamed, never more.
        expect(count).toBeLessThanOrEqual(early.length);
        const isInTurn = decisions.every((one) =>
          decisions.every((other) => one[2] > other[2] || one[1] <= other[2]),
        );
        const first = early.length === 0 ? undefined : Math.min(...early.map(([, sent]) => sent));
        const firsts = underAdmitted.map((one) => one.first);
        if (isInTurn) expect(firsts.length === 0 ? undefined : Math.min(...firsts)).toBe(first);
      }),
    );
  });

  test('one after the other, they are exactly those', () => {
    const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20 }), ruling));
    fc.assert(
      fc.property(gaps, (list) => {
        let now = 0;
        const decisions = list.map(([gap, ms, kind]): KeyDecision => {
          const sent = (now += gap * 1000);
          now += ms * 1000;
          return ['primary#1', sent, now, kind];
        });
        const early = decisions.filter(
          (one) =>
            one[3] === 'refused' && limits.every((limit) => others(decisions, one, limit) < limit.limit),
        );
        const { underAdmitted, expectedRefused } = judgeAccuracy(decisions, limits);
        expect(underAdmitted.reduce((sum, one) => sum + one.count, 0)).toBe(early.length);
        expect(expectedRefused).toEqual(rollingLogs(decisions, limits));
      }),
    );
  });

  test('parts in any order come to the same', () => {
    fc.assert(
      fc.property(all, (decisions) => {
        const book = new LimiterAccuracy(limits);
        // Spread over less time than parts may be late.
        const near = decisions.map(([key, sent, received, kind]): KeyDecision => [
          key,
          sent / 50,
          received / 50,
          kind,
        ]);
        for (const one of near) book.addInOrder(one);
        expect(book.summary).toEqual(judgeAccuracy(near, limits));
      }),
    );
  });

  function others(decisions: readonly KeyDecision[], one: KeyDecision, { windowMs }: WindowLimit): number {
    return decisions.filter(
      (other) =>
        other !== one && other[0] === one[0] && other[1] < one[2] && other[2] > one[1] - windowMs - 2000,
    ).length;
  }

  function rollingLogs(decisions: readonly KeyDecision[], all: readonly WindowLimit[]): [number, number] {
    const counts = [true, false].flatMap((unknown) =>
      [true, false].map((refusedCount) => {
        const counted: number[] = [];
        let refused = 0;
        for (const [, sent, received, kind] of decisions) {
          if (kind === 'unknown' && !unknown) continue;
          const at = (sent + received) / 2;
          const isFull = all.some(
            ({ limit, windowMs }) => counted.filter((one) => one > at - windowMs).length >= limit,
          );
          if (isFull) refused += 1;
          if (!isFull || refusedCount) counted.push(at);
        }
        return refused;
      }),
    );
    return [Math.min(...counts), Math.max(...counts)];
  }
});

test('what is kept of a key does not grow with its requests', () => {
  const limits = [
    { limit: 60, windowMs: 60_000 },
    { limit: 1000, windowMs: 3_600_000 },
  ];
  const after = (count: number, kind: (turn: number) => LimiterRuling) => {
    const book = new LimiterAccuracy(limits);
    for (let turn = 0; turn < count; turn += 1) book.add(['primary#1', turn * 5, turn * 5 + 3, kind(turn)]);
    return book;
  };
  const conforming = (turn: number) => (turn % 12_000 < 60 ? 'admitted' : 'refused');
  expect(after(400_000, conforming).bytesPerKey).toBe(after(240_000, conforming).bytesPerKey);
  expect(after(240_000, conforming).bytesPerKey).toBeLessThan(50_000);
  // No limiter at all: counting ends this far beyond the limit.
  const open = after(60_000, () => 'admitted');
  expect(open.summary.overAdmitted.map(({ admitted }) => admitted)).toEqual([10_060, 11_000]);
  expect(open.bytesPerKey).toBeLessThan(400_000);
});

test('a limit that no memory holds is not judged', () => {
  const limits = [{ limit: 1e8, windowMs: 60_000 }];
  const list = decided([0, 10, 'admitted'], [20, 30, 'refused']);
  expect(judgeAccuracy(list, limits)).toMatchObject({ expectedRefused: [0, 0], overAdmitted: [] });
});
