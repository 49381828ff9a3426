import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { bufferOf } from '../../core/bytes.ts';
import { listenError } from '../../core/listenFault.ts';
import type { Outcome } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { parseRetryAfter } from '../../send/retryAfter.ts';
import type { Transport, WireRequest } from '../../send/transport.ts';
import { operationOf } from '../recorded/evidenceOf.ts';
import { keyOfHolder } from '../recorded/holders.ts';
import type { ProxyBoard } from './board.ts';
import { withStandIn, type CallbackWay } from './callbackWay.ts';
import { faultBody, type FaultPlan, type Strike } from './faults.ts';
import type { ClientRules } from './clientRules.ts';
import { answerOwn, answerWith, BodyRoom, passedOn, readWhole } from './messages.ts';
import type { Recorder } from './recorder.ts';

interface ApiSideOptions {
  /** Base address of the deployment. */
  readonly target: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly transport: Transport;
  readonly recorder: Recorder;
  readonly board: ProxyBoard;
  readonly faults: FaultPlan;
  readonly rules: ClientRules;
  readonly clock: Clock;
  /** Null where callbacks go straight to the client. */
  readonly way: CallbackWay | null;
}

export interface ApiSide {
  readonly url: string;
  /** Takes what is under way, but for a bounded time, then closes. */
  readonly close: () => Promise<void>;
}

const mostBodyBytes = 32 * 1024 * 1024;
const mostHeldBytes = 128 * 1024 * 1024;
const mostConnections = 500;
const drainMs = 3000;

/** Stands between clients and a deployment: passes on what comes, unless a fault is asked for. */
export async function openApiSide(options: ApiSideOptions): Promise<ApiSide> {
  const { listen } = options;
  const handler = new Handler(options);
  const server = createServer(
    { maxHeaderSize: 64 * 1024, headersTimeout: 30_000, requestTimeout: 60_000, noDelay: true },
    (request, response) => void handler.take(request, response),
  );
  server.maxConnections = mostConnections;
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await bind(server, listen);
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return {
    url: `http://${host}:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      handler.close();
      server.closeIdleConnections();
      const patience = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref());
      await Promise.race([closed, patience]);
      server.closeAllConnections();
      await closed;
    },
  };
}

class Handler {
  readonly #options: ApiSideOptions;
  readonly #room = new BodyRoom(mostHeldBytes);
  readonly #closing = new AbortController();

  constructor(options: ApiSideOptions) {
    this.#options = options;
  }

  /** Delays end, and what is under way is passed on at once. */
  close(): void {
    this.#closing.abort();
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#take(request, response);
    } catch {
      // Nothing of it is the client's fault, and the next request may do.
      response.destroy();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults, rules, recorder, clock, board } = this.#options;
    const { url: target = '', method = '' } = request;
    // An absolute address would be a request to somebody else.
    if (!target.startsWith('/')) {
      answerOwn(response, 400, refusal('only paths of the target are passed on'));
      return;
    }
    const read = await readWhole(request, mostBodyBytes, this.#room);
    if (read === 'too-large') answerOwn(response, 413, refusal('more than the proxy holds'));
    if (read === 'too-large' || read === null) return;
    try {
      const operation = operationOf({ request: { method, url: `http://target.invalid${target}` } });
      const strike = faults.forRequest(operation);
      if (strike.names.length > 0) board.counts.struck += 1;
      const key = keyOfHolder(passedOn(request));
      const notes = [...rules.request(key, clock.now()), ...strike.names.map((name) => `fault ${name}`)];
      if (strike.delayMs > 0) await this.#pause(strike.delayMs, response);
      if (isBefore(strike))
        this.#strikeBefore({ request, response, body: read.body, operation, strike, notes, key });
      else await this.#pass({ request, response, body: read.body, operation, strike, notes, key });
      await recorder.drained();
    } finally {
      read.release();
    }
  }

  /** The target sees nothing of it, so that it is shown, and neither judged nor recorded. */
  #strikeBefore({ request, response, body, operation, strike: { end }, notes, key }: Passing): void {
    const { rules, clock, recorder } = this.#options;
    const [now, at] = [clock.now(), clock.monotonic()];
    const timings = { sentAt: now, receivedAt: now, sent: at, received: at };
    recorder.struck(
      { operation, request: this.#wireOf(request, body), outcome: outcomeOf(end), timings },
      notes,
    );
    if (end === null || end.kind === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if (end.status === 429) rules.wait(key, clock.now(), end.retryAfter);
    answerOwn(response, end.status, { body: faultBody(end), because: `fault ${end.text}` });
  }

  async #pass({ request, response, body, operation, strike, notes, key }: Passing): Promise<void> {
    const { transport, recorder, way, rules } = this.#options;
    const changed = way === null ? null : withStandIn(body, operation, way);
    const wire = this.#wireOf(request, changed ?? body);
    const { outcome, timings } = await transport.send(wire);
    recorder.exchange({ operation, request: wire, outcome, timings }, notes);
    const wait =
      outcome.kind === 'response' && outcome.response.status === 429
        ? retryAfterIn(outcome.response.body)
        : null;
    if (wait !== null) rules.wait(key, timings.receivedAt, wait);
    if (strike.end?.kind === 'lost') response.socket?.resetAndDestroy();
    else if (outcome.kind === 'failure') answerOwn(response, 502, refusal(outcome.failure.message));
    else if (outcome.response.truncated)
      answerOwn(response, 502, refusal('an answer longer than the proxy reads'));
    else answerWith(response, outcome.response, wire.method);
  }

  #wireOf(request: IncomingMessage, body: Uint8Array): WireRequest {
    const { method = 'GET', url: target = '/' } = request;
    const { target: baseUrl } = this.#options;
    return { baseUrl, method, target, headers: passedOn(request), body: body.length === 0 ? null : body };
  }

  async #pause(ms: number, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const leave = () => gone.abort();
    response.once('close', leave);
    const over = AbortSignal.any([this.#closing.signal, gone.signal]);
    await this.#options.clock.sleep(ms, over).catch(() => undefined);
    response.off('close', leave);
  }
}

interface Passing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Uint8Array;
  readonly operation: OperationId | null;
  readonly strike: Strike;
  readonly notes: readonly string[];
  readonly key: string | null;
}

/** What the client gets of a fault in place of an answer of the target. */
function outcomeOf(end: Strike['end']): Outcome {
  if (end === null || end.kind === 'reset')
    return {
      kind: 'failure',
      failure: { reason: 'reset', message: 'a fault of the proxy', maybeDelivered: false },
    };
  const headers = [['content-type', 'application/json']] as const;
  const body = Buffer.from(faultBody(end));
  return { kind: 'response', response: { status: end.status, headers, body, truncated: false } };
}

function isBefore({ end }: Strike): boolean {
  return end?.kind === 'status' || end?.kind === 'reset';
}

function retryAfterIn(body: Uint8Array): number | null {
  try {
    return parseRetryAfter(JSON.parse(bufferOf(body).toString('utf8')));
  } catch {
    return null;
  }
}

function refusal(because: string) {
  const message = `gatecheck proxy: ${because}`;
  return { body: JSON.stringify({ success: false, error: 'GATECHECK_PROXY', message }), because };
}

async function bind(server: Server, { host, port }: ApiSideOptions['listen']): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--listen', portOption: '--listen' }, cause);
  }
  return (server.address() as AddressInfo).port;
}
