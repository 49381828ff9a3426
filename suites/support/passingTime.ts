import type { CheckContext } from '../checks.ts';

/** A way to let the deployment's time pass until something has happened. */
export interface PassingTime {
  /** Lets some time pass; resolves to the deployment's time in epoch milliseconds. */
  pass(seconds: number): Promise<number>;
  readonly longestStep: number;
  /** Seconds after which the wait ends. */
  readonly atMost: number;
}

/** Uses the state handler, if its clock moves the callbacks. */
export function advancing(t: CheckContext): PassingTime {
  return {
    longestStep: 600,
    atMost: 2 * 3600,
    pass: async (seconds) => {
      const { now } = await t.state.set('clock.advance', { seconds });
      // Deliveries that fell due in between may still be on the wire.
      await t.sleep(t.grace(10));
      return typeof now === 'string' ? Date.parse(now) : t.now();
    },
  };
}

/** Waits in real time. */
export function waiting(t: CheckContext): PassingTime {
  return {
    longestStep: 15,
    atMost: 300,
    pass: async (seconds) => {
      await t.sleep(seconds * 1000);
      return t.now();
    },
  };
}

/** Lets time pass in growing steps until done, or for too long; reports the deployment's time after each step. */
export async function passUntil(
  time: PassingTime,
  isOver: () => Promise<boolean>,
  onStep: (now: number) => void,
): Promise<void> {
  for (let passed = 0; passed < time.atMost && !(await isOver());) {
    const step = Math.min(time.longestStep, Math.max(1, passed * 0.15));
    onStep(await time.pass(step));
    passed += step;
  }
}

/** The deployment's time. */
export async function nowThere(t: CheckContext): Promise<number> {
  if (!t.state.offers('clock.advance')) return t.now();
  const { now } = await t.state.set('capabilities', {});
  return typeof now === 'string' ? Date.parse(now) : t.now();
}

/** Whether the deployment has deliveries to make or to repeat; for one that tells. */
export async function isPending(t: CheckContext): Promise<boolean> {
  return (await t.state.set('callbacks.pending', {})).pending !== 0;
}
