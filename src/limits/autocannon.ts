import autocannon from 'autocannon';
import type { WireRequest } from '../send/transport.ts';

interface FloodOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly maxRequests: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Sees each answer: which of the requests it was, its status, and how long it took. */
  readonly onAnswer: (index: number, status: number, ms: number) => void;
  readonly onError: (error: Error) => void;
}

/** How often it looks whether it is to stop, in milliseconds; the types do not know it. */
const sampling = { sampleInt: 200 };

/**
 * Sends the requests in turn, over and over, as fast as they are answered: the most that a target gives. Bounded by time
 * and by count. Plain HTTP only, since autocannon takes any certificate.
 */
export async function flood(requests: readonly WireRequest[], options: FloodOptions): Promise<void> {
  const { signal, onAnswer, onError, durationMs, connections, maxRequests } = options;
  const { pathname } = new URL(options.baseUrl);
  const instance = autocannon({
    url: options.baseUrl,
    connections: Math.min(connections, maxRequests),
    duration: durationMs / 1000,
    maxOverallRequests: maxRequests,
    timeout: Math.ceil(options.timeoutMs / 1000),
    // Without a rate there is no coordinated omission to correct, and autocannon refuses the option that turns the correction off.
    requests: requests.map(({ method, target, headers, body }) => ({
      method: method as autocannon.Request['method'] & string,
      path: (pathname === '/' ? '' : pathname) + target,
      headers: Object.fromEntries(headers),
      ...(body === null ? {} : { body: Buffer.from(body) }),
    })),
    ...sampling,
  });
  const events = instance as unknown as autocannon.Instance;
  const stop = () => events.stop();
  void events.on('response', (client, status, _bytes, ms) => onAnswer(indexOf(client), status, ms));
  void events.on('reqError', onError);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await instance;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Without pipelining, the request that a client is at when it hears an answer is the one that was answered. */
function indexOf(client: autocannon.Client): number {
  return (client as unknown as { requestIterator: { currentRequestIndex: number } }).requestIterator
    .currentRequestIndex;
}
