import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { RunEnd } from './runEnd.ts';

function runEnd(clock: VirtualClock): RunEnd {
  return new RunEnd({
    clock,
    listener: () => undefined,
    maxDurationMs: Number.POSITIVE_INFINITY,
    interrupt: new AbortController().signal,
    onStop: () => undefined,
  });
}

/** Milliseconds that so many checks have waited which are disturbed one after the other, or all at once. */
async function waited(checks: number, how: 'after' | 'beside'): Promise<number> {
  const clock = new VirtualClock(0);
  const end = runEnd(clock);
  if (how === 'beside') await Promise.all(Array.from({ length: checks }, () => end.recover()));
  else for (let index = 0; index < checks; index += 1) await end.recover();
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
  const end = runEnd(new VirtualClock(0));
  const waiting = end.recover();
  end.stop('interrupted');
  await expect(waiting).resolves.toBeUndefined();
});
