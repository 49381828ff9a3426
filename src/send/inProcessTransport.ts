import type { Clock } from '../core/clock.ts';
import type { Headers } from '../core/evidence.ts';
import { describeFailure } from './failure.ts';
import type { Transport, WireRequest, WireResult } from './transport.ts';

/** A clock that can be stopped while a request is under way. */
type HoldableClock = Clock & { hold?: () => () => void };

/** A server without a socket, and the connection details that a socket would have. */
type App = (
  request: Request,
  info: { readonly remoteAddress: string; readonly connection?: string },
) => Promise<Response>;

/** Hands requests to a `fetch`-style app without a socket, for tests and the proof. The requests are what a socket would carry. */
export function createInProcessTransport(app: App, clock: HoldableClock): Transport {
  return { send: (request) => send(app, request, clock), close: () => Promise.resolve() };
}

async function send(app: App, request: WireRequest, clock: HoldableClock): Promise<WireResult> {
  const release = clock.hold?.();
  const sentAt = clock.now();
  const sent = clock.monotonic();
  const finish = () => ({ sentAt, sent, receivedAt: clock.now(), received: clock.monotonic() });
  try {
    const response = await app(toRequest(request), {
      remoteAddress: '127.0.0.1',
      ...(request.connection === undefined ? {} : { connection: request.connection }),
    });
    const body = new Uint8Array(await response.arrayBuffer());
    const headers: Headers = [...response.headers];
    const recorded = { status: response.status, headers, body, truncated: false };
    return { outcome: { kind: 'response', response: recorded }, timings: finish() };
  } catch (error) {
    return { outcome: { kind: 'failure', failure: describeFailure(error, true) }, timings: finish() };
  } finally {
    release?.();
  }
}

function toRequest(request: WireRequest): Request {
  const headers = new globalThis.Headers();
  for (const [name, value] of request.headers) headers.append(name, value);
  if (request.body !== null && !headers.has('transfer-encoding'))
    headers.set('content-length', String(request.body.length));
  return new Request(request.baseUrl + request.target, {
    method: request.method,
    headers,
    ...(request.body === null ? {} : { body: Buffer.from(request.body) }),
  });
}
