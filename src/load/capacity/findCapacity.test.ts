import { expect, test } from 'vitest';
import { virtualLoad } from '../../../test/support/virtualLoad.ts';
import { parseThreshold } from '../summary/thresholds.ts';

test('the capacity of a server that slows down with what is in flight is found, and so is what limits it', async () => {
  const bound = parseThreshold('p99<100ms');
  const result = await virtualLoad({
    // Five at a time in 20 ms; more have to wait.
    workMs: (inFlight) => (inFlight <= 5 ? 10 : inFlight * 6),
    options: {
      ratePerSecond: 20,
      capacity: bound === null ? [] : [bound],
      trialMs: 1500,
      mix: [{ operation: 'wci.status', weight: 1 }],
      judgeShare: 0,
    },
  });
  const capacity = result.load?.capacity;
  expect(capacity).toMatchObject({ bounds: ['p99<100ms'], isWhole: true, confidence: 0.875 });
  expect(capacity?.heldPerSecond).toBeGreaterThan(40);
  expect((capacity?.brokenPerSecond ?? 0) / (capacity?.heldPerSecond ?? 1)).toBeLessThanOrEqual(1.1);
  expect(['queueing', 'latency']).toContain(capacity?.limitedBy);
  expect(result.summary.exitCode).toBe(0);
}, 60_000);

test('a rate limit is named as what limits', async () => {
  const bound = parseThreshold('errors<1%');
  const result = await virtualLoad({
    limits: { perMinute: 60, perHour: 1000 },
    options: {
      ratePerSecond: 20,
      keys: 1,
      capacity: bound === null ? [] : [bound],
      trialMs: 2000,
      mix: [{ operation: 'wci.status', weight: 1 }],
      judgeShare: 0,
    },
  });
  expect(result.load?.capacity).toMatchObject({ limitedBy: 'limiter' });
  // Each trial begins with windows that the trials before have filled.
  expect(result.load?.limiter?.refused).toBeGreaterThan(0);
  expect(result.load?.limiter?.underAdmitted).toEqual([]);
}, 60_000);
