/** How long nothing may happen in a run on virtual time, which waits for nothing outside of the process. */
const PATIENCE_MS = 4000;
const LOOK_MS = 500;

/**
 * Resolves when the event loop has had nothing to do for a while: the run hangs. Time in which other processes have the
 * cores does not count, unlike with a timeout.
 */
export function untilIdle(signal: AbortSignal): Promise<'idle'> {
  return new Promise((resolve) => {
    let last = performance.eventLoopUtilization();
    let idleMs = 0;
    const timer = setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { active, idle } = performance.eventLoopUtilization(now, last);
      last = now;
      idleMs = active < LOOK_MS / 50 ? idleMs + idle : 0;
      if (idleMs < PATIENCE_MS) return;
      clearInterval(timer);
      resolve('idle');
    }, LOOK_MS);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
}
