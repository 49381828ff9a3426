import { expect, test } from 'vitest';
import type { RunEvent } from '../engine/events.ts';
import { Lateness } from './lateness.ts';

function after(...events: readonly RunEvent[]): Lateness {
  const lateness = new Lateness();
  lateness.hear({
    ...{ name: 'run-started', runId: 'r', seed: 1, target: 'http://a', checks: 1, requirements: 1 },
    ...{ plannedRequests: 10, expectedMs: 0, requestMs: 4 },
  });
  for (const event of events) lateness.hear(event);
  return lateness;
}

const exchange: RunEvent = {
  ...{
    name: 'exchange',
    id: 'x',
    operation: null,
    request: 'GET /',
    key: null,
    status: 200,
    durationMs: 800,
  },
};

test('a run that takes what was forecast needs no reason', () => {
  expect(after(exchange).reasonFor(50_000)).toBeNull();
  expect(new Lateness().reasonFor(1e9)).toBeNull();
});

test('a run that takes much longer says how slow answers were, and what it waited for', () => {
  const waited: RunEvent = { name: 'waiting', reason: 'retry-after', ms: 30_000, key: 'primary#1' };
  expect(after(exchange, waited).reasonFor(100_000)).toBe(
    'The run took 1 min 40 s, and about 40 ms were forecast: 429s and refused keys asked to wait 30.0 s in all; an answer took 800 ms on average.',
  );
  const many = Array.from({ length: 13 }, () => exchange);
  expect(after(...many).reasonFor(100_000)).toContain('3 more requests than planned were sent');
  const soon = after({ ...exchange, durationMs: 6 });
  expect(soon.reasonFor(100_000)).toContain('waiting for callbacks');
});
