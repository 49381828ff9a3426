import { expect, test } from 'vitest';
import { nearKeys, valuesNear } from './nearKeys.ts';

const numbered = Array.from({ length: 8 }, (_, index) => `k-${index + 1}`);

test.each(nearKeys)('%s: a value near a numbered key is none of the others', (kind) => {
  for (const key of numbered) {
    const near = valuesNear(kind, key, numbered);
    expect(near.length).toBeGreaterThan(0);
    expect(numbered).not.toContain(near[0]?.trim());
  }
});

test('where every digit but one ends a key, that one is found', () => {
  const keys = [...numbered, 'k-9'];
  expect(valuesNear('last character changed', 'k-3', keys)).toEqual(['k-0']);
});

test('a blank at the end is stripped on its way, so that it would be the key itself', () => {
  expect(valuesNear('a space within', 'k', ['k'])).toEqual([]);
});
