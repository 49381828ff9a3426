import { expect, test } from 'vitest';
import type { Json } from './body.ts';
import { canonical } from './canonical.ts';

test('the order of members makes no difference at any depth', () => {
  expect(canonical({ a: [{ b: 1, c: 'x' }], d: null })).toBe(canonical({ d: null, a: [{ c: 'x', b: 1 }] }));
});

test.each<[one: Json, other: Json]>([
  ['1', 1],
  [null, 'null'],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [['a,b'], ['a', 'b']],
  [{ a: 'b,1"c:d' }, { a: 'b', c: 'd' }],
  [{ 'a:1': 2 }, { a: 1 }],
  [{ a: {} }, { a: [] }],
])('%j is told from %j', (one, other) => {
  expect(canonical(one)).not.toBe(canonical(other));
});
