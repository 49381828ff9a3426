import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { notificationScenarios } from './notificationScenario.ts';

const scenes = notificationScenarios(8);

test('a scene has as many commands as are paid for, and sometimes a fault', () => {
  const samples = fc.sample(scenes, { numRuns: 200, seed: 1 });
  expect(samples.every(({ commands }) => commands.length === 8)).toBe(true);
  expect(new Set(samples.map(({ fault }) => fault?.fault ?? null)).size).toBeGreaterThan(4);
  expect(samples.some(({ fault }) => fault === null)).toBe(true);
});

test('a failing scene shrinks to the commands that matter, and to no fault', () => {
  const changesLeg1 = ({ commands }: { commands: readonly { do: string; leg: number }[] }) =>
    commands.some((command) => command.do === 'change' && command.leg === 1);
  const { counterexample } = fc.check(
    fc.property(scenes, (scene) => !changesLeg1(scene)),
    { seed: 3, numRuns: 50 },
  );
  expect(counterexample?.[0]).toEqual({ commands: [{ do: 'change', leg: 1 }], fault: null });
});
