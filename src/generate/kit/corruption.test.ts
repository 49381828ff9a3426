import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { drop, inElement, inTurn, setTo } from '../../spec/kit/mutation.ts';
import { corrupted, possible, row } from './corruption.ts';

const twoLegs = { ...row('R', 'second-leg', inElement('legs', drop('from'), 1)(fc)), applicable: hasTwoLegs };

function hasTwoLegs(body: object): boolean {
  return (body as { legs: unknown[] }).legs.length > 1;
}

test('an edit falls on every element from the given one on, and on no other', () => {
  const valid = fc.constant({ legs: [{ from: 'A' }, { from: 'B' }, { from: 'C' }] });
  const results = fc
    .sample(corrupted(twoLegs, valid), { seed: 1, numRuns: 30 })
    .map((body) => JSON.stringify(body));
  expect([...new Set(results)].sort()).toEqual([
    '{"legs":[{"from":"A"},{"from":"B"},{}]}',
    '{"legs":[{"from":"A"},{},{"from":"C"}]}',
  ]);
});

test('the valid request stays as it was', () => {
  const request = { legs: [{ from: 'A' }, { from: 'B' }] };
  fc.sample(corrupted(twoLegs, fc.constant(request)), { seed: 1, numRuns: 5 });
  expect(request).toEqual({ legs: [{ from: 'A' }, { from: 'B' }] });
});

test('requests without the place of the corruption are passed over, and are an error where there are no others', () => {
  const sometimes = fc.constantFrom({ legs: [{ from: 'A' }] }, { legs: [{ from: 'A' }, { from: 'B' }] });
  const results = fc.sample(corrupted(twoLegs, sometimes), { seed: 1, numRuns: 10 });
  expect(results.every(hasTwoLegs)).toBe(true);
  const never = fc.constant({ legs: [{ from: 'A' }] });
  expect(() => fc.sample(corrupted(twoLegs, never), { seed: 1, numRuns: 1 })).toThrow('second-leg');
});

test('a corruption is possible where some of the valid requests have its place', () => {
  const everywhere = row('R', 'without-legs', drop('legs')(fc));
  const oneLeg = { legs: [{ from: 'A' }] };
  const named = (...bodies: { legs: { from: string }[] }[]) =>
    possible([twoLegs, everywhere], fc.constantFrom(...bodies)).map(({ name }) => name);
  expect(named(oneLeg)).toEqual(['without-legs']);
  expect(named(oneLeg, { legs: [{ from: 'A' }, { from: 'B' }] })).toEqual(['second-leg', 'without-legs']);
});

test('edits follow each other', () => {
  const mutations = fc.sample(inTurn(setTo('a', 1), drop('b'))(fc), { seed: 1, numRuns: 1 });
  expect(mutations.map((mutate) => mutate({ a: 0, b: 0, c: 0 }))).toEqual([{ a: 1, c: 0 }]);
});
