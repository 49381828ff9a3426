import { expect, test } from 'vitest';
import type { Check } from './check.ts';
import { recordedTimes, timeOf } from './recorded.ts';

function check(id: string, maxCases: number): Check {
  const cost = (cases: number) => ({ requests: cases * 3, quota: 0, subscriptions: 0 });
  return {
    ...{ id, title: id, api: 'shared', kind: 'property', verifies: [], needs: [], tags: [], uses: [] },
    ...{ exclusive: false, isOneThing: false, cost, cases: { minCases: 1, maxCases }, rows: null },
    run: () => Promise.resolve(),
  };
}

test('recorded times are those of checks that wait for something', () => {
  const numbers = Object.values(recordedTimes.read()).flatMap(({ least, more = {} }) => [
    ...Object.values(least),
    ...Object.values(more),
  ]);
  expect(numbers.filter((number) => !(number >= 0))).toEqual([]);
  expect(numbers.length).toBeGreaterThan(200);
});

test('a further case adds what it was recorded to add', () => {
  const [one, two, three, many] = [1, 2, 3, 99].map((cases) => timeOf(check('fla.callbacks.any', 3), cases));
  expect(two?.turns).toBeGreaterThan(one?.turns ?? 0);
  expect(three?.turns).toBeGreaterThan(two?.turns ?? 0);
  expect(many).toEqual(three);
  expect(one?.waits).toBeGreaterThan(0);
});

test('a check that was not recorded waits for each of its requests', () => {
  expect(timeOf(check('wci.of.nobody', 5), 2)).toEqual({ turns: 6, waits: 0, restMs: 0 });
});
