import { expect, test, vi } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { listen } from '../src/reference/listen.ts';
import { closing, enterprises, expectReached, smoke } from './support/networkTarget.ts';

const hour = 3_600_000;

/** A deployment whose own clock is right; calls `onFifth` with its fifth request. */
async function deploymentOn(onFifth: () => void): Promise<string> {
  const real = Date.now() - performance.now();
  const now = () => Math.floor(real + performance.now());
  const own = createDeployment({ enterprises, clock: { ...systemClock, now } });
  let count = 0;
  const fetch: typeof own.fetch = (request, info) => {
    count += 1;
    if (count === 5) onFifth();
    return own.fetch(request, info);
  };
  const opened = await listen({ ...own, fetch });
  closing.push(
    () => own.close(),
    () => opened.close(),
  );
  return opened.url;
}

test.each([
  ['forward by an hour', hour],
  ['back by an hour', -hour],
  ['back by thirty days', -720 * hour],
])(
  'the clock of this machine is set %s in the middle of a run: nothing is blamed for it, and durations are right',
  async (_what, byMs) => {
    const begun = performance.now();
    const epochMs = Date.now() - begun;
    const real = () => epochMs + performance.now();
    const target = await deploymentOn(() => {
      const set = vi.spyOn(Date, 'now').mockImplementation(() => real() + byMs);
      closing.push(() => set.mockRestore());
    });
    const result = await smoke({ target });
    const tookMs = performance.now() - begun;
    expectReached(result);
    expect(Math.abs(Date.now() - real())).toBeGreaterThan(hour / 2);
    expect(result.findings).toEqual([]);
    expect(result.run.durationMs).toBeGreaterThan(0);
    expect(result.run.durationMs).toBeLessThanOrEqual(tookMs + 1);
  },
);
