import { expect, test } from 'vitest';
import { Latencies } from './latencies.ts';
import { widthAt } from './width.ts';

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
