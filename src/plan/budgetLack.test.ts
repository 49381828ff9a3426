import { expect, test } from 'vitest';
import { budgetHint, budgetLackText, lackingBudgets, withoutCheck } from './budgetLack.ts';

test.each([
  [{ takes: 38, name: 'requests', budget: 400, left: 0 }, ['request 400']],
  [{ takes: 1, name: 'quota units', budget: 5, left: 0 }, ['quota unit 5']],
])('the budget that a reason names is read from it: %j', (lack, named) => {
  expect(lackingBudgets(budgetLackText(lack))).toEqual(named);
});

test('a reason may name several budgets, or none', () => {
  const [one, other] = [
    budgetLackText({ takes: 2, name: 'requests', budget: 60, left: 1 }),
    budgetLackText({ takes: 2, name: 'subscriptions', budget: 0, left: 0 }),
  ];
  expect(lackingBudgets(`${one}; ${other}`)).toEqual(['request 60', 'subscription 0']);
  expect(lackingBudgets('needs a second key')).toEqual([]);
});

test('checks that lack the same budget have a reason in common', () => {
  const reasonOf = (takes: number) => {
    const why = budgetLackText({ takes, name: 'requests', budget: 60, left: 0 });
    return `${why}. ${budgetHint([`--max-requests ${60 + takes}`], ['--max-requests 909'])}`;
  };
  expect(withoutCheck(reasonOf(1))).toBe(
    'beyond the budget of 60 requests. --max-requests 909 would be enough for all checks: a quarter, at least 1, is reserved for confirming failures.',
  );
  expect(withoutCheck(reasonOf(1))).toBe(withoutCheck(reasonOf(8)));
  expect(withoutCheck('needs quota. Grant quota units with --max-quota N.')).toBeNull();
});
