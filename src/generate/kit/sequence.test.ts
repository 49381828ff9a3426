import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sequence } from './sequence.ts';

const letters = sequence(fc.constantFrom('a', 'b', 'c', 'd'), 8);

test('every generated list has the planned length', () => {
  const lengths = fc.sample(letters, { seed: 1, numRuns: 200 }).map((list) => list.length);
  expect(new Set(lengths)).toEqual(new Set([8]));
});

test('a failing list shrinks to what it fails by, in its order', () => {
  const hasBThenC = (list: readonly string[]) =>
    list.includes('b') && list.lastIndexOf('c') > list.indexOf('b');
  const details = fc.check(
    fc.property(letters, (list) => !hasBThenC(list)),
    { seed: 1 },
  );
  expect(details.counterexample).toEqual([['b', 'c']]);
});

test('a failing list is found again by its seed and path', () => {
  const property = fc.property(letters, (list) => !list.includes('d'));
  const { counterexamplePath: path, seed } = fc.check(property, { seed: 3 });
  const again = fc.check(property, { seed, path: path ?? '', endOnFailure: true });
  expect(again.counterexample).toEqual([['d']]);
});
