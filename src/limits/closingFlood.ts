import type { Clock } from '../core/clock.ts';
import type { Headers } from '../core/evidence.ts';
import type { Transport, WireRequest } from '../send/transport.ts';
import type { FloodOptions } from './autocannon.ts';

interface ClosingOptions extends Omit<FloodOptions, 'baseUrl' | 'timeoutMs'> {
  readonly transport: Pick<Transport, 'send'>;
  readonly clock: Clock;
}

/** Whether an answer says how long its body is; otherwise only the end of the connection tells, which autocannon never notices. */
export function tellsItsLength(headers: Headers): boolean {
  return headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
}

/** Whether a connection ends with this answer: the answer says so, or nothing else tells how long its body is. */
export function endsConnection(headers: Headers): boolean {
  const isClosed = headers.some(([name, value]) => /^connection$/i.test(name) && /\bclose\b/i.test(value));
  return isClosed || !tellsItsLength(headers);
}

/**
 * Like `flood`, for a target that ends each connection with its answer, which autocannon cannot read: one request after another
 * in as many loops as there are connections, each over a connection that the client opens for it.
 */
export async function closingFlood(requests: readonly WireRequest[], options: ClosingOptions): Promise<void> {
  const { transport, clock } = options;
  const end = clock.monotonic() + options.durationMs;
  let sent = 0;
  const loop = async () => {
    while (sent < options.maxRequests && !options.signal.aborted && clock.monotonic() < end) {
      const index = sent++ % requests.length;
      const request = requests[index];
      if (!request) return;
      const { outcome, timings } = await transport.send(request);
      // Cut off by our own abort, which says nothing about the target.
      if (outcome.kind === 'failure' && isAborted(options.signal)) return;
      if (outcome.kind === 'failure') options.onError(new Error(outcome.failure.message));
      else options.onAnswer(index, outcome.response.status, timings.received - timings.sent);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, loop));
}

/** Asked again after a wait, in which it may have changed. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
