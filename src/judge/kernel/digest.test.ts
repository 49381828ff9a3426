import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from './body.ts';
import { canonical } from '../../spec/kit/equalField.ts';
import { digestOf } from '../../trace/digest.ts';

test('the order of members makes no difference at any depth', () => {
  expect(digestOf({ a: [{ b: 1, c: 'x' }], d: null })).toBe(digestOf({ d: null, a: [{ c: 'x', b: 1 }] }));
});

test.each<[one: Json, other: Json]>([
  ['1', 1],
  [null, 'null'],
  ['', []],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [['a,b'], ['a', 'b']],
  [
    ['a', 'bc'],
    ['ab', 'c'],
  ],
  [{ a: 'b' }, { b: 'a' }],
  [
    { a: 'x', b: 'y' },
    { a: 'y', b: 'x' },
  ],
  [{ a: { b: 1 } }, { a: 1, b: {} }],
  [{ a: {} }, { a: [] }],
])('%j is told from %j', (one, other) => {
  expect(digestOf(one)).not.toBe(digestOf(other));
});

test('what is said of several values depends on where one ends', () => {
  expect(digestOf('a', 'bc')).not.toBe(digestOf('ab', 'c'));
  expect(digestOf(undefined)).not.toBe(digestOf());
});

test('two values have one digest exactly where they are spelled alike but for the order of members', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(digestOf(one) === digestOf(other)).toBe(canonical(one) === canonical(other));
    }),
    { numRuns: 500 },
  );
});
