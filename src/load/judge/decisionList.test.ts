import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeyDecision } from './accuracy.ts';
import { DecisionList } from './decisionList.ts';

const decision: fc.Arbitrary<KeyDecision> = fc.tuple(
  fc.constantFrom('primary#1', 'primary#2', 'other#1'),
  fc.double({ noNaN: true }),
  fc.double({ noNaN: true }),
  fc.constantFrom('admitted', 'refused', 'unknown'),
);

test('what went in comes out, in order and to the last digit', () => {
  fc.assert(
    fc.property(fc.array(decision), (decisions) => {
      const list = new DecisionList(decisions);
      expect([...list]).toEqual(decisions);
      expect(list.length).toBe(decisions.length);
    }),
  );
});

test('it grows beyond its first room', () => {
  const list = new DecisionList();
  for (let index = 0; index < 5000; index += 1) list.add([`k${index % 7}`, index, index + 1, 'admitted']);
  expect([...list].at(-1)).toEqual(['k1', 4999, 5000, 'admitted']);
  expect(list.length).toBe(5000);
});
