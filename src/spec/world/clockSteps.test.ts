import { expect, test } from 'vitest';
import type { Step } from '../../trace/evidence.ts';
import { ClockSteps } from './clockSteps.ts';

const step = (operation: string, endedAt: number, movedMs: number, more: Partial<Step> = {}): Step => ({
  ...{ type: 'step', id: 's', operation, params: null, startedAt: endedAt - 1, endedAt },
  ...{ outcome: 'done', error: null, told: { now: '2026-03-01T12:00:00.000Z' }, movedMs },
  ...more,
});

test('a clock that is further ahead than its steps account for was moved by somebody else, since it was last told', () => {
  const steps = new ClockSteps(0);
  expect(steps.step(step('capabilities', 10, 0))).toBeNull();
  expect(steps.step(step('clock.advance', 20, 60_000, { params: { seconds: 60 } }))).toBeNull();
  expect(steps.step(step('keys.issue', 30, 60_000, { told: {} }))).toBeNull();
  expect(steps.step(step('keys.issue', 40, 360_000))).toBe(20);
  expect(steps.step(step('keys.issue', 50, 360_000))).toBeNull();
  // A restart sets it back, which is a matter of its own.
  expect(steps.step(step('reset', 60, 0))).toBeNull();
});
