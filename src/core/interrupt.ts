import { exitCodes } from './errors.ts';
import type { Io } from './io.ts';

/** One Ctrl-C may arrive twice, from the terminal and from a launcher: signals this close together are the same one. */
const echoMs = 250;

/** Time from the first interrupt until the process ends, whatever still holds it; the reports are written long before. */
const graceMs = 120_000;

/** A signal that the first interrupt aborts; the next one ends the process at once. `release` removes the signal handlers. */
export function abortOnInterrupt(
  io: Pick<Io, 'onInterrupt' | 'exit'>,
  now: () => number = () => performance.now(),
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  let first: number | null = null;
  let grace: NodeJS.Timeout | undefined;
  const end = () => io.exit(exitCodes.interrupted);
  const release = io.onInterrupt(() => {
    if (first !== null && now() - first > echoMs) end();
    first ??= now();
    grace ??= setTimeout(end, graceMs).unref();
    controller.abort(new Error('interrupted'));
  });
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(grace);
      release();
    },
  };
}
