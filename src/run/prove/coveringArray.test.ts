import { expect, test } from 'vitest';
import { pairwise, type Factor } from './coveringArray.ts';

const factors: readonly Factor[] = [
  { name: 'a', variants: ['1', '2'] },
  { name: 'b', variants: ['x', 'y', 'z'] },
  { name: 'c', variants: ['only'] },
  { name: 'd', variants: ['p', 'q', 'r', 's'] },
];

test('every pair of variants of two factors occurs', () => {
  const rows = pairwise(factors, 7);
  factors.forEach((one, index) => {
    for (const other of factors.slice(index + 1)) {
      for (const a of one.variants) {
        for (const b of other.variants) {
          expect(rows.some((row) => row[one.name] === a && row[other.name] === b)).toBe(true);
        }
      }
    }
  });
});

test('the array is close to the least number of rows, and the same for the same seed', () => {
  expect(pairwise(factors, 7).length).toBeLessThanOrEqual(16);
  expect(pairwise(factors, 7)).toEqual(pairwise(factors, 7));
});

test('without factors there is nothing to cover', () => {
  expect(pairwise([], 1)).toEqual([]);
});
