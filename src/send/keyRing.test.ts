import { expect, test } from 'vitest';
import { KeyRing } from './keyRing.ts';

const ringOf = (count: number) =>
  KeyRing.of({
    primary: Array.from({ length: count }, (_, index) => `key-${index + 1}`),
    other: ['key-other'],
    special: {},
  });
const labels = (keys: readonly { readonly label: string }[]) => keys.map(({ label }) => label);

test('few keys all carry what any key may carry', () => {
  const ring = ringOf(2);
  expect(ring.pool('primary')).toEqual(ring.primary);
  expect(labels(ring.pool('other'))).toEqual(['other#1']);
});

test('of many keys the first is left to requests that must carry it, whichever stands in front', () => {
  const ring = ringOf(10);
  for (const one of [ring, ring.rotated(3)]) {
    expect(labels(one.primary)).toContain('primary#1');
    expect(labels(one.pool('primary'))).not.toContain('primary#1');
    expect(one.pool('primary')).toHaveLength(9);
  }
});
