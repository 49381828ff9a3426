import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { Recovery } from './recovery.ts';

/** Milliseconds that so many checks have waited which are disturbed one after the other, or all at once. */
async function waited(checks: number, how: 'after' | 'beside'): Promise<number> {
  const clock = new VirtualClock(0);
  const recovery = new Recovery(clock, new AbortController().signal);
  if (how === 'beside') await Promise.all(Array.from({ length: checks }, () => recovery.wait()));
  else for (let index = 0; index < checks; index += 1) await recovery.wait();
  return clock.monotonic();
}

test.each([
  [1, 'after', 2_000],
  [3, 'after', 6_000],
  [500, 'after', 20_000],
  [500, 'beside', 2_000],
] as const)('%i checks, each disturbed %s the other, wait for %i ms in all', async (checks, how, ms) => {
  expect(await waited(checks, how)).toBe(ms);
});

test('a run that has ended waits no longer', async () => {
  const stop = new AbortController();
  const waiting = new Recovery(new VirtualClock(0), stop.signal).wait();
  stop.abort();
  await expect(waiting).resolves.toBeUndefined();
});
