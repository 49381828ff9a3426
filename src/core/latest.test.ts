import { describe, expect, test, vi } from 'vitest';
import { keptTexts, onceForLatest } from './latest.ts';

describe('onceForLatest', () => {
  const evidence = Array.from({ length: 20 }, (_, index) => ({ index }));

  test('computes once for evidence that is looked at again soon, whatever comes in between', () => {
    let computed = 0;
    const indexOf = onceForLatest(({ index }: { index: number }) => {
      computed += 1;
      return index;
    });
    const [one, other] = evidence.slice(0, 2).map(({ index }) => evidence[index] ?? { index });
    const seen = [one, other, one, other, one].map((piece) => piece && indexOf(piece));
    expect(seen).toEqual([0, 1, 0, 1, 0]);
    expect(computed).toBe(2);
  });

  test('answers rightly for evidence that it has forgotten, and for what has no value', () => {
    const indexOf = onceForLatest(({ index }: { index: number }) => (index % 2 === 0 ? index : undefined));
    const expected = evidence.map(({ index }) => (index % 2 === 0 ? index : undefined));
    expect(evidence.map(indexOf)).toEqual(expected);
    expect(evidence.map(indexOf)).toEqual(expected);
  });
});

test('what a short text means is computed once, and forgotten after many others', () => {
  const compute = vi.fn((text: string) => text.length);
  const lengthOf = keptTexts(compute);
  expect([lengthOf('a'), lengthOf('a'), lengthOf('b'.repeat(200)), lengthOf('b'.repeat(200))]).toEqual([
    1, 1, 200, 200,
  ]);
  expect(compute).toHaveBeenCalledTimes(3);
  for (let number = 0; number < 600; number += 1) lengthOf(String(number));
  lengthOf('a');
  expect(compute).toHaveBeenCalledTimes(604);
});
