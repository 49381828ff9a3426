import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeAnswer } from '../../src/receive/script.ts';
import { scenes, scriptOf, stepsPerScenario, type Scenario } from './callbackScenarios.ts';

const sample = (numRuns = 200) => fc.sample(scenes, { seed: 7, numRuns });
const faultsOf = ({ faults }: Scenario) => faults.flat(2);

test('the same seed gives the same scenes, and they are plain data', () => {
  expect(sample()).toEqual(sample());
  for (const scene of sample()) expect(JSON.parse(JSON.stringify(scene))).toEqual(scene);
});

test('scenes reach every step, both bookings and enterprises, and every fault', () => {
  const steps = sample().flatMap((scene) => scene.steps);
  expect(new Set(steps.map((step) => step.do)).size).toBe(4);
  expect(new Set(steps.map(({ booking, enterprise }) => `${booking}${enterprise}`)).size).toBe(4);
  expect(new Set(sample().flatMap(faultsOf)).size).toBe(7);
  expect(Math.max(...sample().map((scene) => scene.steps.length))).toBe(stepsPerScenario);
});

test('a smaller scene has fewer steps or fewer faults, and shrinking ends', () => {
  const shrink = (scene: Scenario) => [...scenes.shrink(scene, undefined)].map(({ value }) => value);
  for (const scene of sample(30)) {
    for (const smaller of shrink(scene)) {
      const size = (one: Scenario) => one.steps.length * 100 + faultsOf(one).length;
      expect(size(smaller)).toBeLessThan(size(scene));
      expect(smaller.steps.length).toBeGreaterThan(0);
    }
  }
});

test('a webhook accepts what comes after its faults', () => {
  const script = scriptOf(['503', 'reset', 'slow', 'redirect']);
  expect(script.map(describeAnswer)).toEqual(['503', 'reset', '200 after 300 ms', '303', '200']);
  expect(scriptOf([]).map(describeAnswer)).toEqual(['200']);
});
