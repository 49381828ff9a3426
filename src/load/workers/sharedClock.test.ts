import { expect, test } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import { SharedClock } from './sharedClock.ts';

/** A Redis whose clock is off, reached over a slow connection. */
function clockOf() {
  const state = { monotonic: 1000, offsetMs: 1_700_000_000_000, roundTripMs: 4 };
  const redis = {
    time: () => {
      const at = state.monotonic + state.roundTripMs / 2 + state.offsetMs;
      state.monotonic += state.roundTripMs;
      return Promise.resolve([Math.floor(at / 1000), Math.round((at % 1000) * 1000)] as [number, number]);
    },
  };
  const clock = { monotonic: () => state.monotonic } as Clock;
  return { state, shared: new SharedClock(redis, clock) };
}

test('the clock of Redis is known to half of the quickest round trip', async () => {
  const { state, shared } = clockOf();
  await shared.measure(5);
  expect(shared.shared.errorMs).toBe(2);
  expect(Math.abs(shared.shared.offsetMs - state.offsetMs)).toBeLessThan(0.01);
});

test.each([5000, -5000, 3_600_000])(
  'a step of the clock by %d ms moves no time of a load',
  async (stepMs) => {
    const { state, shared } = clockOf();
    await shared.measure(3);
    const before = shared.shared.offsetMs;
    state.offsetMs += stepMs;
    state.monotonic += 1000;
    await shared.measure(3);
    state.monotonic += 120_000;
    await shared.measure(3);
    expect(Math.abs(shared.shared.offsetMs - before)).toBeLessThan(0.01);
    expect(shared.steppedMs).toBeCloseTo(stepMs, 0);
  },
);

test('a clock that only drifts, and a slow answer, are no step', async () => {
  const { state, shared } = clockOf();
  await shared.measure(3);
  for (let second = 0; second < 60; second += 1) {
    state.monotonic += 1000;
    state.offsetMs += 0.1;
    state.roundTripMs = second % 7 === 0 ? 900 : 4;
    await shared.measure(1);
  }
  state.roundTripMs = 4;
  await shared.measure(3);
  expect(shared.steppedMs).toBe(0);
  expect(Math.abs(shared.shared.offsetMs - state.offsetMs)).toBeLessThan(7);
});
