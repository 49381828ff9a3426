import { expect, test } from 'vitest';
import { costPerCase, recordedCost, recordedCosts } from './recorded.ts';

const free = { quota: 0, subscriptions: 0 };

test('every recorded number is a whole one, and a further case costs no less than nothing', () => {
  const numbers = Object.values(recordedCosts.read()).flatMap(({ least, more = {}, each = {} }) =>
    [least, more, each].flatMap((cost) => Object.values(cost)),
  );
  expect(numbers.filter((number) => !Number.isInteger(number) || number < 0)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(200);
});

test('a check with one form costs the same whatever the number of cases', () => {
  const cost = recordedCost('fla.auth.missing', { minCases: 1, maxCases: 1 });
  expect([cost(1), cost(1000)]).toEqual([
    { requests: 2, ...free },
    { requests: 2, ...free },
  ]);
});

test('further cases are added up, as far as there are any', () => {
  const cost = recordedCost('fla.input.callback', { minCases: 1, maxCases: 3 });
  const [one, two, three, many] = [1, 2, 3, 9].map((cases) => cost(cases).requests);
  expect([two, three, many]).toEqual([(one ?? 0) * 2, (one ?? 0) * 3, three]);
});

test('a check that was never recorded counts as a request for each case', () => {
  const cost = recordedCost('wci.of.nobody', { minCases: 2, maxCases: 5 });
  expect([cost(0), cost(3), cost(9)].map(({ requests }) => requests)).toEqual([2, 3, 5]);
});

test('a bound is counted for each case', () => {
  const cost = costPerCase({ requests: 8, quota: 4 }, { minCases: 1, maxCases: 40 });
  expect(cost(3)).toEqual({ requests: 24, quota: 12, subscriptions: 0 });
});
