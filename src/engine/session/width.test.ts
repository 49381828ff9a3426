import { expect, test } from 'vitest';
import { Latencies } from '../observe/latencies.ts';
import type { PlannedCheck } from '../../plan/plan.ts';
import { casesAt, widthAt } from './width.ts';

test.each([
  [0, 8, 8],
  [5, 8, 8],
  [40, 8, 8],
  [100, 8, 20],
  [200, 8, 32],
  [2000, 8, 32],
  [200, 2, 10],
  [2000, 2, 32],
])('with answers after %i ms, %i side by side become %i', (latency, width, wanted) => {
  expect(widthAt(latency, { width, mostWidth: 32 })).toBe(wanted);
});

test('a session that is to run its checks one by one does so however slow answers are', () => {
  expect(widthAt(2000, { width: 1, mostWidth: 1 })).toBe(1);
});

test('a single slow answer makes no slow deployment, and what is long past says nothing', () => {
  const latencies = new Latencies();
  expect(latencies.least).toBe(0);
  latencies.add('wci.status', 3);
  latencies.add('wci.status', 900);
  expect(latencies.least).toBe(3);
  for (let count = 0; count < 32; count += 1) latencies.add('wci.status', 500);
  expect(latencies.least).toBe(500);
});

const property = (more: object) =>
  ({
    check: {
      kind: 'property',
      exclusive: false,
      cases: { minCases: 3, maxCases: 40 },
      cost: (cases: number) => ({ requests: 5 * cases, quota: 0, subscriptions: 0 }),
      ...more,
    },
    cases: 30,
  }) as unknown as PlannedCheck;

test.each([
  ['quick answers leave all cases', 20, {}, 30],
  ['slow ones leave as many as a minute takes', 1000, {}, 12],
  ['and a quarter of it where nothing else can go on', 1000, { exclusive: true }, 3],
  ['but no fewer than say anything', 5000, { exclusive: true }, 3],
  ['tables send all their rows', 5000, { cases: { minCases: 1, maxCases: 40 } }, 2],
  ['what generates nothing stays as it is', 5000, { kind: 'fixed' }, 30],
])('%s', (_title, latency, more, cases) => {
  expect(casesAt(latency, property(more))).toBe(cases);
});

test('the typical answer is the middle one', () => {
  const latencies = new Latencies();
  expect(latencies.typical).toBe(0);
  for (const ms of [900, 3, 500]) latencies.add('wci.status', ms);
  expect(latencies.typical).toBe(500);
});
