import { expect, test } from 'vitest';
import { KeyRing, type ApiKey } from './keyRing.ts';

const ringOf = (count: number) =>
  KeyRing.of({
    primary: Array.from({ length: count }, (_, index) => `key-${index + 1}`),
    other: ['key-other'],
    special: { revoked: 'key-revoked' },
  });
const issued = (enterprise: string, ...labels: readonly string[]): ApiKey[] =>
  labels.map((label) => ({ label, enterprise, value: `value of ${label}` }));
const labels = (keys: readonly { readonly label: string }[]) => keys.map(({ label }) => label);

test('few keys all carry what any key may carry', () => {
  const ring = ringOf(2);
  const [first] = ring.primary;
  if (first) ring.setAside(first);
  expect(ring.pool('primary')).toEqual(ring.primary);
  expect(labels(ring.pool('other'))).toEqual(['other#1']);
});

test('of many keys the one that is set aside is left to requests that must carry it', () => {
  const ring = ringOf(10);
  const third = ring.primary[2];
  if (third) ring.setAside(third);
  for (const one of [ring, ring.forCheck(() => 1)]) {
    expect(labels(one.primary)).toContain('primary#3');
    expect(labels(one.pool('primary'))).not.toContain('primary#3');
    expect(one.pool('primary')).toHaveLength(9);
  }
});

test('a check gets the keys with the most room first, and keeps that order', () => {
  const room: Record<string, number> = { 'primary#1': 5, 'primary#2': 60, 'primary#3': 20 };
  const view = ringOf(3).forCheck(({ label }) => room[label] ?? 0);
  room['primary#1'] = 100;
  expect(labels(view.primary)).toEqual(['primary#2', 'primary#3', 'primary#1']);
  // The key for a whole check is chosen when it is first asked for, and then stays.
  expect(view.lead?.label).toBe('primary#1');
  room['primary#3'] = 200;
  expect(view.lead?.label).toBe('primary#1');
});

test('issued keys carry what any key may carry, and the given ones keep their room for the rules about keys', () => {
  const ring = ringOf(2);
  ring.add('primary', issued('primary', 'issued#1', 'issued#2'));
  expect(labels(ring.pool('primary'))).toEqual(['issued#1', 'issued#2']);
  expect(labels(ring.given)).toEqual(['primary#1', 'primary#2']);
  expect(labels(ring.primary)).toEqual(['primary#1', 'primary#2', 'issued#1', 'issued#2']);
  expect(ring.forCheck(() => 1).lead?.label).toBe('issued#1');
  expect(ring.named('issued#2')?.enterprise).toBe('primary');
});

test('where the issued keys are of an enterprise of their own, the given ones are not among its keys', () => {
  const ring = ringOf(2);
  ring.replace('primary', issued('new', 'issued#1', 'issued#2'));
  expect(labels(ring.primary)).toEqual(['issued#1', 'issued#2']);
  expect(labels(ring.given)).toEqual(['primary#1', 'primary#2']);
});

test('a key is found by its label, whatever it is for', () => {
  const ring = ringOf(1);
  expect(ring.named('revoked')?.value).toBe('key-revoked');
  expect(ring.named('other#1')?.value).toBe('key-other');
  expect([ring.named('primary#2'), ring.named(null)]).toEqual([null, null]);
});
