import type { Callbacks } from './callbacks.ts';

interface Waiting {
  readonly wait: Callbacks['wait'];
  /** Whether something that was refused may still be repeated. */
  readonly mayRepeat: () => boolean;
  /** Lets time pass on the clock of the deployment's callbacks; resolves to whether it did. */
  readonly pass: (ms: number) => Promise<boolean>;
  /** Wait for what has fallen due. */
  readonly soonMs: number;
}

/** Seconds by which the clock is moved, step by step: half an hour in total. */
const steps = [5, 15, 45, 60, 180, 300, 600, 600];

/**
 * Waits for deliveries. A queue in order keeps them until what was refused before is repeated, by the deployment's clock: once
 * patience has ended, it is moved, where that can be done. A wait with a patience of its own ends with that.
 */
export function waitBehind({ wait, mayRepeat, pass, soonMs }: Waiting): Callbacks['wait'] {
  return async (address, enough, options) => {
    let waited = await wait(address, enough, options);
    if (options?.patienceMs !== undefined) return waited;
    let hasPassed = false;
    for (const seconds of steps) {
      if (waited !== 'patience' || !mayRepeat() || !(await pass(seconds * 1_000))) break;
      hasPassed = true;
      waited = await wait(address, enough, { patienceMs: soonMs });
    }
    return hasPassed && waited === 'patience' ? wait(address, enough) : waited;
  };
}
