import { expect, test } from 'vitest';
import { defineJourney, type Journey } from './journey.ts';

const right: Journey = {
  ...{ id: 'mine', title: 'look', apis: ['webcheckin'], needs: [], cost: { requests: 2 } },
  run: () => Promise.resolve(),
};

test.each<[what: string, part: object, says: string]>([
  ['a name', { id: 'My Journey' }, 'id: expected lower-case words'],
  ['needs that are left out', { needs: undefined }, 'needs: expected a list of some of writes, sink'],
  ['a need that there is not', { needs: ['luck'] }, 'needs: expected a list of some of writes, sink'],
  ['an API that there is not', { apis: ['wci'] }, 'apis: expected a list of some of webcheckin'],
  ['costs that are left out', { cost: null }, 'cost.requests: expected a whole number'],
  ['a weight', { weight: 0 }, 'weight: expected a number above 0'],
])('a journey of another form is refused with what it should be: %s', (_what, part, says) => {
  expect(() => defineJourney({ ...right, ...part })).toThrow(says);
  expect(defineJourney({ ...right })).toEqual(right);
});
