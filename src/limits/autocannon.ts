import autocannon from 'autocannon';
import type { Clock } from '../core/clock.ts';
import type { Headers, Outcome } from '../core/evidence.ts';
import type { WireRequest, WireResult } from '../send/transport.ts';

interface BurstOptions {
  readonly clock: Clock;
  /** Longest time from sending to the end of an answer. */
  readonly timeoutMs: number;
}

/**
 * Sends all requests at the same time through autocannon, each over its own connection and only once: the number is bounded by
 * the requests given, whatever the connections do. There is no rate, so nothing to correct. Plain HTTP only, since autocannon
 * accepts any certificate.
 */
export async function burst(
  requests: readonly WireRequest[],
  { clock, timeoutMs }: BurstOptions,
): Promise<readonly WireResult[]> {
  const [first] = requests;
  if (!first) return [];
  const requestsArmed = requests.map((request) => new BurstRequest(request, clock));
  let next = 0;
  const instance = autocannon({
    url: first.baseUrl,
    connections: requests.length,
    amount: requests.length,
    timeout: Math.ceil(timeoutMs / 1000),
    setupClient: (client) => requestsArmed[next++]?.arm(client),
  });
  try {
    return await Promise.all(requestsArmed.map(({ result }) => result));
  } finally {
    // It ends by itself at its next tick, which need not be waited for: every request was answered or given up.
    (instance as unknown as { stop(): void }).stop();
  }
}

/** One request, bound to one connection. */
class BurstRequest {
  readonly #request: WireRequest;
  readonly #clock: Clock;
  readonly #done = Promise.withResolvers<WireResult>();
  #sentAt = 0;
  #sent = 0;

  constructor(request: WireRequest, clock: Clock) {
    this.#request = request;
    this.#clock = clock;
  }

  get result(): Promise<WireResult> {
    return this.#done.promise;
  }

  /** The request leaves as soon as the connection is open; its time counts from now, which is certainly earlier. */
  arm(client: autocannon.Client): void {
    skipInformational(client);
    this.#sentAt = this.#clock.now();
    this.#sent = this.#clock.monotonic();
    const { method, baseUrl, target, headers, body } = this.#request;
    const { pathname } = new URL(baseUrl);
    client.setRequest({
      method: method as autocannon.Request['method'] & string,
      path: (pathname === '/' ? '' : pathname) + target,
      headers: Object.fromEntries(headers),
      ...(body === null ? {} : { body: Buffer.from(body) }),
      onResponse: (status, text, _context, answered) =>
        this.#end({
          kind: 'response',
          response: { status, headers: pairs(answered), body: Buffer.from(text), truncated: false },
        }),
    });
    const lost = (reason: 'reset' | 'timeout', message: string) => {
      this.#end({ kind: 'failure', failure: { reason, message, maybeDelivered: true } });
      (client as unknown as { destroy(): void }).destroy();
    };
    const events = client as unknown as NodeJS.EventEmitter;
    events.on('connError', (error: Error) => lost('reset', error.message));
    events.on('timeout', () => lost('timeout', 'no answer in time'));
    // It is finished: an answer that was not reported by now will not come.
    events.on('done', () => setImmediate(() => lost('reset', 'the connection ended without an answer')));
  }

  #end(outcome: Outcome): void {
    const timings = {
      sentAt: this.#sentAt,
      sent: this.#sent,
      receivedAt: this.#clock.now(),
      received: this.#clock.monotonic(),
    };
    this.#done.resolve({ outcome, timings });
  }
}

function pairs(headers: unknown): Headers {
  return Object.entries(headers as Record<string, string | readonly string[]>).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}

export interface FloodOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly durationMs: number;
  readonly maxRequests: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each answer: index of the request, status, and how long it took. */
  readonly onAnswer: (index: number, status: number, ms: number) => void;
  readonly onError: (error: Error) => void;
}

/** How often it checks whether to stop, in milliseconds; the types lack this option. */
const sampling = { sampleInt: 200 };

/**
 * Sends the requests in turn, over and over, as fast as they are answered: the most that a target can handle. Bounded by time
 * and count. Plain HTTP only, as above.
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
    setupClient: skipInformational,
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

/** The parser of a client, as far as it concerns this: its hooks stand under numbers that its class names. */
interface Parser {
  [hook: number]: ((head?: { readonly statusCode?: number }) => unknown) | undefined;
  readonly constructor: { readonly kOnHeadersComplete: number; readonly kOnMessageComplete: number };
}

/** autocannon takes an informational answer (1xx) for the answer itself. It sets its hooks after this was called. */
function skipInformational(client: autocannon.Client): void {
  queueMicrotask(() => {
    const { parser } = client as unknown as { parser: Parser };
    const { kOnHeadersComplete, kOnMessageComplete } = parser.constructor;
    const [begins, ends] = [parser[kOnHeadersComplete], parser[kOnMessageComplete]];
    let status = 200;
    parser[kOnHeadersComplete] = (head) => {
      status = head?.statusCode ?? 200;
      return status < 200 ? undefined : begins?.(head);
    };
    parser[kOnMessageComplete] = () => (status < 200 ? undefined : ends?.());
  });
}

/** Without pipelining, the current request of a client is the one that was just answered. */
function indexOf(client: autocannon.Client): number {
  return (client as unknown as { requestIterator: { currentRequestIndex: number } }).requestIterator
    .currentRequestIndex;
}
