import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../core/clock.ts';
import type { Headers } from '../core/evidence.ts';
import { answerArrival, type Wire } from './answerArrival.ts';
import type { Certificate } from './certificate.ts';
import { Connections } from './connections.ts';
import type { Inbox } from './inbox.ts';
import { defaultLimits, type SinkLimits } from './limits.ts';
import { readBody } from './readBody.ts';
import { status, type ScriptedAnswer } from './script.ts';

export interface SinkServerOptions {
  /** Says by its path what becomes of a request, and keeps it. */
  readonly inbox: Pick<Inbox, 'admit'>;
  readonly clock: Clock;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Null for plain HTTP. */
  readonly certificate: Certificate | null;
  readonly limits?: Partial<SinkLimits>;
}

/** The sink's own server. */
export interface SinkServer {
  readonly port: number;
  /** Where it listens: `https://127.0.0.1:41234`. */
  readonly url: string;
  readonly refused: Readonly<Refused>;
  /** Takes what is on the wire, but for a bounded time, then closes. */
  close(): Promise<void>;
}

/** What never became a delivery, and was not acknowledged. */
export interface Refused {
  /** Broken HTTP, headers too long, or too slow. */
  malformed: number;
  /** The sender went away before its last byte. */
  broken: number;
  /** Closed at once, because there were too many. */
  connections: number;
  /** Ended before TLS stood, mostly because the sender does not trust the certificate. */
  handshakes: number;
}

/** Opens the server of a sink: every request is admitted, read, kept, and only then answered as its script says. */
export async function openSinkServer(options: SinkServerOptions): Promise<SinkServer> {
  const { host, certificate } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer(certificate, limits);
  const connections = new Connections(server);
  const refused: Refused = { malformed: 0, broken: 0, connections: 0, handshakes: 0 };
  const closing = new AbortController();
  const receive = new Receiver({ ...options, limits, connections, refused, closing: closing.signal });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void receive.take(request, response);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void receive.take(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    refused.malformed += 1;
    refuse(error, socket);
  });
  server.on('tlsClientError', () => (refused.handshakes += 1));
  server.on('drop', () => (refused.connections += 1));
  const port = await listen(server, host, options.port);
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    port,
    url: `${certificate ? 'https' : 'http'}://${name}:${port}`,
    refused,
    close: () => close(server, { receive, connections, closing, drainMs: limits.drainMs }),
  };
}

function createServer(certificate: Certificate | null, limits: SinkLimits): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1_000, limits.requestMs),
    // A sender that keeps its connections must not meet one that is just being closed.
    keepAliveTimeout: 120_000,
    // It is evidence, and not for the parser to refuse.
    requireHostHeader: false,
    noDelay: true,
  };
  const server = certificate
    ? createHttpsServer({
        ...options,
        cert: certificate.cert,
        key: certificate.key,
        handshakeTimeout: limits.requestMs,
      })
    : createHttpServer(options);
  server.maxConnections = limits.connections;
  return server;
}

interface ReceiverOptions extends SinkServerOptions {
  readonly limits: SinkLimits;
  readonly connections: Connections;
  readonly refused: Refused;
  readonly closing: AbortSignal;
}

/** Takes requests one by one, and knows how many are under way. */
class Receiver {
  readonly #options: ReceiverOptions;
  #underWay = 0;
  #idle: (() => void) | null = null;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#take(request, response);
    } catch {
      // What could not be kept is not acknowledged; whose fault it was, the one who keeps it knows.
      request.socket.destroy();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#idle?.();
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { inbox, clock, limits, connections, closing, refused } = this.#options;
    const startedAt = clock.now();
    const { socket, method = '', url: target = '' } = request;
    const connection = connections.of(socket);
    const { answer, record } = inbox.admit(target);
    const wire: Wire = { request, response, reset: () => connections.reset(socket), clock, closing, limits };
    const early = answer.kind === 'close-early';
    if (!early && request.headers.expect !== undefined) response.writeContinue();
    const read = early ? untouched : await readBody(request, limits);
    if (read === null) {
      refused.broken += 1;
      return;
    }
    const { body, truncated, tooLarge } = read;
    const given: ScriptedAnswer = tooLarge ? status(413) : answer;
    const receivedAt = clock.now();
    connections.hold(socket);
    await record(
      { method, target, headers: headersOf(request), body, truncated, startedAt, receivedAt, connection },
      given,
    );
    await answerArrival(given, wire);
    connections.release(socket);
  }
}

const untouched = { body: new Uint8Array(), truncated: true, tooLarge: false };

/** Names and values in turn, as they stood on the wire. */
function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return headers;
}

const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function refuse({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else
    socket.end(
      `HTTP/1.1 ${refusals[code] ?? '400 Bad Request'}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
      () => socket.destroy(),
    );
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

const flushMs = 20;

interface Closing {
  readonly receive: Receiver;
  readonly connections: Connections;
  readonly closing: AbortController;
  readonly drainMs: number;
}

async function close(server: Server, { receive, connections, closing, drainMs }: Closing): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  closing.abort();
  const patience = new Promise<void>((resolve) => setTimeout(resolve, drainMs).unref());
  await Promise.race([receive.idle(), patience]);
  // Under TLS the last answers are still on their way out.
  await new Promise((resolve) => setTimeout(resolve, flushMs));
  server.closeAllConnections();
  connections.destroy();
  await closed;
}
