import { expect, test } from 'vitest';
import { dialectPoints } from './dialects.ts';
import { documentedPolicy, type Policy } from './policy.ts';

test('names are unique, and every point has at least two variants of which the first changes nothing', () => {
  expect(new Set(dialectPoints.map(({ name }) => name)).size).toBe(dialectPoints.length);
  for (const { name, variants } of dialectPoints) {
    const [first, ...others] = Object.values(variants);
    expect(others.length, name).toBeGreaterThan(0);
    for (const [member, value] of Object.entries(first ?? {}))
      expect(documentedPolicy[member as keyof Policy], name).toEqual(value);
  }
});

test('no two points touch the same member of the policy', () => {
  const owners = new Map<string, string>();
  for (const { name, variants } of dialectPoints) {
    for (const member of new Set(Object.values(variants).flatMap((policy) => Object.keys(policy)))) {
      expect(owners.get(member), `${member} of ${name}`).toBeUndefined();
      owners.set(member, name);
    }
  }
});
