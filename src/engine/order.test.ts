import { expect, test } from 'vitest';
import type { PlannedCheck } from '../plan/plan.ts';
import { inOrder } from './order.ts';
import type { EngineCheck } from './suite.ts';

const checks = [
  ['moves', ['state:clock.advance']],
  ['minute', ['limit-minute']],
  ['reads', []],
  ['hour', ['limit-hour']],
  ['writes', ['writes']],
].map(([id, needs]) => ({ check: { id, needs }, cases: 1 }) as unknown as PlannedCheck<EngineCheck>);

const order = (...clock: string[]) => inOrder(checks, new Set(clock)).map(({ check }) => check.id);

test('what moves the clock comes last, in the order of the plan', () => {
  expect(order('dates')).toEqual(['reads', 'writes', 'moves', 'minute', 'hour']);
});

test('the minute limit comes first where the clock moves it', () => {
  expect(order('rate-limits')).toEqual(['minute', 'reads', 'writes', 'moves', 'hour']);
});
