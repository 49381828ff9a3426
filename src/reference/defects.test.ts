import { expect, test } from 'vitest';
import { defects } from './defects.ts';

test('ids are unique, each defect replaces exactly one policy point and names what it breaks', () => {
  expect(new Set(defects.map(({ id }) => id)).size).toBe(defects.length);
  for (const { id, policy, kills, alsoFail } of defects) {
    expect(Object.keys(policy), id).toHaveLength(1);
    expect(kills.length, id).toBeGreaterThan(0);
    for (const requirement of [...kills, ...alsoFail])
      expect(requirement, id).toMatch(/^(SHR|WCI|FLA)-[A-Z]{2,3}-\d{3}$/);
    expect(
      kills.filter((requirement) => alsoFail.includes(requirement)),
      id,
    ).toEqual([]);
  }
});

test('at least a third of the defects show under a condition only', () => {
  expect(defects.filter(({ conditional }) => conditional).length).toBeGreaterThan(defects.length / 3);
});
