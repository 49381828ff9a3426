import { exitCodes } from './errors.ts';
import type { Io } from './io.ts';

/** One Ctrl-C may come twice, from the terminal and from a launcher: what follows so soon is the same one. */
const echoMs = 250;

/** A signal that the first interrupt aborts; the next one ends the process at once. `release` gives the signals back. */
export function abortOnInterrupt(
  io: Pick<Io, 'onInterrupt' | 'exit'>,
  now: () => number = () => performance.now(),
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  let first: number | null = null;
  const release = io.onInterrupt(() => {
    if (first !== null && now() - first > echoMs) io.exit(exitCodes.interrupted);
    first ??= now();
    controller.abort(new Error('interrupted'));
  });
  return { signal: controller.signal, release };
}
