/** The time source of everything in Gatecheck. It is injected, so that tests neither wait nor depend on the machine. */
export interface Clock {
  /** Wall-clock time, milliseconds since the epoch. */
  now(): number;
  /** A clock that never jumps, in milliseconds from an arbitrary origin; for durations. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `task` after `ms` without keeping the process (or virtual time) waiting for it; returns a function that cancels it. */
  timer(ms: number, task: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timeout);
        reject(signal?.reason as Error);
      };
      const timeout = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
  timer: (ms, task) => {
    const timeout = setTimeout(task, ms).unref();
    return () => clearTimeout(timeout);
  },
};

/** The machine's time for one run: it goes on evenly, also where the machine's clock is set forward or back meanwhile. */
export function steadyClock(): Clock {
  const epochMs = Date.now() - performance.now();
  return { ...systemClock, now: () => Math.floor(epochMs + performance.now()) };
}
