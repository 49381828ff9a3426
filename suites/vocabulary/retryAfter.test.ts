import { expect, test } from 'vitest';
import type { Decision } from '../../src/judge/limits/decision.ts';
import { judgeRetryAfter, meaningOf } from './retryAfter.ts';

const base: Decision = {
  id: 'x1',
  sent: 0,
  received: 100,
  ruling: 'admitted',
  retryAfter: null,
  key: 'primary#1',
  enterprise: 'primary',
  api: 'webcheckin',
  route: 'wci.list',
  address: null,
  connection: null,
};
/** Refused 20 s after the oldest request of its window: 40 s are left. */
const refusal = (retryAfter: number | null, after = 20_000) => ({
  retryAfter,
  oldest: base,
  at: { ...base, sent: after, received: after + 100, ruling: 'refused', retryAfter } as const,
});

test.each([
  [40, 'holds'],
  [60, 'holds'],
  [61, 'holds'],
  [1, 'holds'],
  [0.4, 'holds'],
  [62, 'holds'],
  [70, 'holds'],
  [121, 'violated'],
  [40_000, 'violated'],
  [0, 'violated'],
  [-60, 'violated'],
  [null, 'unclear'],
])('retryAfter %j with 40 s to wait: %s', (retryAfter, status) => {
  expect(judgeRetryAfter(refusal(retryAfter), 60_000).status).toBe(status);
});

test('a zero may be less than a second, rounded down', () => {
  expect(judgeRetryAfter(refusal(0, 59_500), 60_000).status).toBe('unclear');
});

test.each([
  [40, 'remainder'],
  [39.95, 'remainder'],
  [41, 'remainder'],
  [39, 'rounded-down'],
  [60, 'constant'],
  [20, null],
  [null, null],
])('retryAfter %j with 40 s to wait means %j', (retryAfter, meaning) => {
  expect(meaningOf(refusal(retryAfter), 60_000)).toBe(meaning);
});
