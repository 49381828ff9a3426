import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { type Dispatcher, Agent, EnvHttpProxyAgent, Pool, ProxyAgent } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { Headers, Outcome, RecordedResponse } from '../core/evidence.ts';
import type { HttpSettings } from '../core/settings.ts';
import { decodeBody } from './contentEncoding.ts';
import { describeFailure } from './failure.ts';
import { namingProxy } from './proxyFailure.ts';
import type { Transport, WireRequest, WireResult } from './transport.ts';

/**
 * How long a connection may have been idle that takes a request which is not sent again: what arrives while a server closes one
 * is lost. One that names its time (Keep-Alive) is believed.
 */
const idleMs = 100;

/**
 * Sends over real sockets. Uses undici's dispatch interface, because it keeps header fields as they came and lets a body be cut
 * off; redirects are never followed, and nothing is sent twice.
 */
export function createUndiciTransport(http: HttpSettings, clock: Clock, connections = 64): Transport {
  const agent = createAgent(http, connections);
  const writing = writingAgents(http, connections, agent);
  const single = new Map<string, Dispatcher>();
  const agentFor = ({ connection, method, once }: WireRequest) => {
    if (connection === undefined) return method === 'GET' && once !== true ? agent : writing.current();
    let own = single.get(connection);
    if (!own) single.set(connection, (own = createAgent(http, 1)));
    return own;
  };
  const addresses = new Map<string, Address>();
  const addressOf = (baseUrl: string) => {
    let address = addresses.get(baseUrl);
    if (!address) addresses.set(baseUrl, (address = parseAddress(baseUrl)));
    return address;
  };
  return {
    send: (request) => send(agentFor(request), request, addressOf(request.baseUrl), { http, clock }),
    close: async () => {
      await Promise.all([agent, ...writing.all, ...single.values()].map((one) => one.destroy()));
    },
  };
}

/**
 * Connections for requests that are not sent again. A server that was seen to close idle ones gets a new one for each: on a busy
 * machine an answer is read late, when its connection is already being closed.
 */
function writingAgents(http: HttpSettings, connections: number, reading: Dispatcher) {
  const brief = createAgent(http, connections, { keepAliveTimeout: idleMs });
  const single = createAgent(http, connections, { pipelining: 0 });
  let closes = false;
  const learn = (_origin: URL, _targets: readonly Dispatcher[], error: Error) => {
    closes ||= describeFailure(error, false).reason === 'reset';
  };
  for (const one of [reading, brief]) one.on('disconnect', learn);
  return { all: [brief, single], current: () => (closes ? single : brief) };
}

/** A base address in the form that undici takes; there are at most two in a run. */
interface Address {
  readonly origin: string;
  readonly prefix: string;
}

function parseAddress(baseUrl: string): Address {
  const { origin, pathname } = new URL(baseUrl);
  return { origin, prefix: pathname === '/' ? '' : pathname };
}

/** Connections as configured: timeouts, proxy, an extra certificate authority and a client certificate. */
export function createAgent(
  http: HttpSettings,
  connections: number,
  kept: Pick<Pool.Options, 'keepAliveTimeout' | 'pipelining'> = {},
): Dispatcher {
  const tls = tlsOf(http);
  const timeouts = { headersTimeout: http.responseTimeoutMs, bodyTimeout: http.responseTimeoutMs };
  const options = {
    ...{ connections, pipelining: 1, ...timeouts, ...kept },
    connect: {
      timeout: http.connectTimeoutMs,
      autoSelectFamilyAttemptTimeout: attemptMs(http.connectTimeoutMs),
      ...tls,
    },
  };
  const behindProxy = { ...options, ...untilAnswered(http, timeouts), requestTls: tls };
  if (http.proxy !== null) return new ProxyAgent({ ...behindProxy, uri: http.proxy });
  const { environmentProxy: given } = http;
  if (given === undefined) return new Agent(options);
  // As everywhere: that for HTTPS is not for plain HTTP.
  const [httpProxy, httpsProxy] = [given.http ?? '', given.https ?? given.http ?? ''];
  // Services on this machine are not behind a proxy.
  const noProxy = ['localhost', '127.0.0.1', '::1', given.none].filter(Boolean).join(',');
  return new EnvHttpProxyAgent({ ...behindProxy, httpProxy, httpsProxy, noProxy });
}

/** How long a proxy may take: by itself, undici waits for five minutes for one that takes a request and says nothing. */
function untilAnswered({ connectTimeoutMs }: HttpSettings, timeouts: Pool.Options) {
  return {
    connectTimeout: connectTimeoutMs,
    clientFactory: (origin: URL, given: object) =>
      new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }),
    factory: (origin: string | URL, given: object) => new Pool(origin, { ...timeouts, ...given }),
  };
}

/**
 * How long one of several addresses of a name may take before the next is tried. Node's own 250 ms are too short for a slow VPN,
 * and the address that was given up may be the only one that answers.
 */
function attemptMs(connectTimeoutMs: number): number {
  return Math.max(250, Math.min(1500, connectTimeoutMs / 4));
}

function tlsOf({ extraCa, clientCert, clientKey }: HttpSettings) {
  return {
    ...(extraCa === null ? {} : { ca: [...rootCertificates, extraCa] }),
    ...(clientCert === null || clientKey === null ? {} : { cert: clientCert, key: clientKey }),
  };
}

function send(
  agent: Dispatcher,
  request: WireRequest,
  { origin, prefix }: Address,
  { http, clock }: { readonly http: HttpSettings; readonly clock: Clock },
): Promise<WireResult> {
  const sentAt = clock.now();
  const sent = clock.monotonic();
  return new Promise<WireResult>((resolve) => {
    const timed = (outcome: Outcome): WireResult => ({
      outcome,
      timings: { sentAt, receivedAt: clock.now(), sent, received: clock.monotonic() },
      ...(collector.takenAt === null ? {} : { socketMs: collector.takenAt - sent }),
    });
    const finish = (raw: Outcome) => {
      const encoding = encodingOf(raw);
      resolve(encoding === null ? timed(raw) : decoded(timed(raw), encoding, http.maxBodyBytes));
    };
    const collector = new Collector({ http, clock, origin }, finish);
    const isChunked = request.body !== null && request.headers.some(saysChunked);
    try {
      agent.dispatch(
        {
          origin,
          path: prefix + request.target,
          method: request.method,
          // The client writes this field by itself for a body whose length it is not told.
          headers: flat(isChunked ? request.headers.filter((one) => !saysChunked(one)) : request.headers),
          body: isChunked ? Readable.from(piecesOf(request.body)) : request.body,
        },
        collector,
      );
    } catch (error) {
      finish({ kind: 'failure', failure: describeFailure(error, false) });
    }
  });
}

function saysChunked([name, value]: readonly [string, string]): boolean {
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding' && value === 'chunked';
}

/** So short that boundaries and characters are cut in two. */
const pieceBytes = 61;

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

async function decoded(result: WireResult, encoding: string, maxBytes: number): Promise<WireResult> {
  const { outcome } = result;
  if (outcome.kind === 'failure') return result;
  const { response } = outcome;
  const body = await decodeBody(response.body, encoding, maxBytes);
  return { ...result, outcome: { kind: 'response', response: { ...response, ...body } } };
}

/** The content coding of a complete body; null for none, the usual case. */
function encodingOf(outcome: Outcome): string | null {
  if (outcome.kind === 'failure' || outcome.response.truncated) return null;
  const { headers } = outcome.response;
  for (const header of headers)
    if (header[0].length === 16 && header[0].toLowerCase() === 'content-encoding') return header[1];
  return null;
}

interface CollectorOptions {
  readonly http: HttpSettings;
  readonly clock: Clock;
  readonly origin: string;
}

/** Collects one response, at most `maxBodyBytes` of it and for at most `responseTimeoutMs`. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #http: HttpSettings;
  readonly #clock: Clock;
  readonly #origin: string;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #started: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: Headers = [];
  /** When a connection took the request; null before. */
  takenAt: number | null = null;

  constructor({ http, clock, origin }: CollectorOptions, resolve: (outcome: Outcome) => void) {
    this.#http = http;
    this.#clock = clock;
    this.#origin = origin;
    this.#resolve = resolve;
    this.#started = clock.monotonic();
  }

  onRequestStart(): void {
    this.takenAt = this.#clock.monotonic();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
    this.#headers = pairs(controller.rawHeaders);
    // Each interim answer (103 Early Hints) starts the client's own timeout anew.
    if (status < 200) this.#giveUpIfLate(controller, 'interim answers were still coming');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#http.maxBodyBytes - this.#bytes;
    this.#bytes += chunk.length;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk);
    if (chunk.length > room) this.#cutOff(controller);
    // A body that trickles in for ever never reaches the idle timeout of the client.
    else if (this.#chunks.length > 1) this.#giveUpIfLate(controller, 'the body was still coming');
  }

  onResponseEnd(): void {
    this.#resolve({ kind: 'response', response: this.#response(false) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = describeFailure(error, this.takenAt !== null);
    const failed = namingProxy(failure, error, { http: this.#http, origin: this.#origin });
    this.#resolve({ kind: 'failure', failure: failed });
  }

  #giveUpIfLate(controller: Dispatcher.DispatchController, what: string): void {
    if (this.#clock.monotonic() - this.#started <= this.#http.responseTimeoutMs) return;
    controller.abort(Object.assign(new Error(what), { code: 'UND_ERR_BODY_TIMEOUT' }));
  }

  #cutOff(controller: Dispatcher.DispatchController): void {
    this.#resolve({ kind: 'response', response: this.#response(true) });
    controller.abort(new Error('longer than is read'));
  }

  #response(truncated: boolean): RecordedResponse {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only ? only : Buffer.concat(this.#chunks);
    return { status: this.#status, headers: this.#headers, body, truncated };
  }
}

/** Alternating names and values; `Array.prototype.flat` takes several times as long. */
function flat(headers: Headers): string[] {
  const list: string[] = [];
  for (const header of headers) list.push(header[0], header[1]);
  return list;
}

function pairs(raw: Dispatcher.DispatchController['rawHeaders']): Headers {
  if (!Array.isArray(raw)) return Object.entries(raw ?? {}).map(([name, value]) => [name, String(value)]);
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.push([text(raw[index]), text(raw[index + 1])]);
  }
  return headers;
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
