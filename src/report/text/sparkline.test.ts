import { expect, test } from 'vitest';
import { countsOver, sparkline } from './sparkline.ts';

test.for([
  [[], ''],
  [[0, 0], '▁▁'],
  [[1, 4, 8], '▁▄█'],
  [[0, 100], '▁█'],
] as const)('sparkline(%j) is %s', ([values, line]) => {
  expect(sparkline(values)).toBe(line);
});

test('instants are counted by equal parts, the last one included', () => {
  expect(countsOver([0, 1, 49, 50, 100], 100, 2)).toEqual([3, 2]);
  expect(countsOver([0], 0, 3)).toEqual([1, 0, 0]);
});
