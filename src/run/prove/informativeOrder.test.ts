import { expect, test } from 'vitest';
import type { Check } from '../../plan/check.ts';
import type { PlannedCheck } from '../../plan/plan.ts';
import { informativeOrder } from './informativeOrder.ts';

function planned(id: string, requests: number, more: Partial<Check> = {}): PlannedCheck {
  const check = { id, kind: 'fixed', verifies: [id], uses: [], tags: [], ...more } as unknown as Check;
  return { check, cases: 0, cost: { requests, quota: 0, subscriptions: 0 } };
}

const row = (id: string, ...tellers: string[]) => ({ id, tellers, requests: 1 });

test('what finds most for a request comes first, and what another one found before counts for nothing', () => {
  const rows = [row('d1', 'a', 'b'), row('d2', 'a', 'b'), row('d3', 'b'), row('d4', 'c')];
  const checks = [planned('a', 1), planned('b', 3), planned('c', 2)];
  expect(informativeOrder(rows, checks)).toEqual(['a', 'c', 'b']);
});

test('a fixture is paid by the first check that uses it, and shows what it shows', () => {
  const rows = [row('d1', 'fixture.complete-record'), row('d2', 'fixture.complete-record'), row('d3', 'c')];
  const uses: Partial<Check> = { uses: ['complete-record'] };
  const checks = [planned('c', 1), planned('a', 1, uses), planned('b', 1, uses)];
  expect(informativeOrder(rows, checks)).toEqual(['c', 'a', 'b']);
});

test('where nothing more is found, what verifies more for a request comes first, and passive checks stand nowhere', () => {
  const checks = [
    planned('a', 4),
    planned('b', 1),
    planned('c', 4, { verifies: ['x', 'y', 'z', 'u', 'v'] }),
    planned('p', 0, { kind: 'passive' }),
  ];
  expect(informativeOrder([], checks)).toEqual(['c', 'b', 'a']);
});

test('what shows by the time that has passed, whoever sends then, prefers no check; nor is the last look in the order', () => {
  const late = { ...row('d1', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), requests: 70 };
  const checks = [planned('b', 2), planned('x', 1), planned('z', 1, { tags: ['last-look'] })];
  expect(informativeOrder([late], checks)).toEqual(['x', 'b']);
  expect(informativeOrder([{ ...late, requests: 7 }], checks)).toEqual(['b', 'x']);
});
