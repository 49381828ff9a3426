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
import type { Certificate } from './certificate.ts';
import { Connections } from './connections.ts';
import type { Inbox } from './inbox.ts';
import { Receiver, type Refused } from './receiver.ts';
import { defaultLimits, type SinkLimits } from './limits.ts';

interface SinkServerOptions {
  /** Decides by the path how a request is handled, and stores it. */
  readonly inbox: Pick<Inbox, 'admit'>;
  readonly clock: Clock;
  readonly host: string;
  /** 0 selects a free one. */
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
  /** Handles what is under way, for a limited time, then closes. */
  close(): Promise<void>;
}

/** Opens the server of a sink: every request is admitted, read, stored, and only then answered as its script says. */
export async function openSinkServer(options: SinkServerOptions): Promise<SinkServer> {
  const { host, certificate } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const server = createServer(certificate, limits);
  const refused: Refused = { malformed: 0, broken: 0, connections: 0, handshakes: 0 };
  const connections = new Connections(server, limits.connectionsOfPeer, () => (refused.connections += 1));
  const closing = new AbortController();
  const receive = new Receiver({ ...options, limits, connections, refused, closing: closing.signal });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void receive.take(request, response);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    void receive.take(request, response);
  });
  // Node reports a failed handshake as a client error as well.
  const secured = new WeakSet<Duplex>();
  server.on('secureConnection', (socket: Duplex) => secured.add(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (certificate && !secured.has(socket)) refused.handshakes += 1;
    else refused.malformed += 1;
    refuse(error, socket);
  });
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
    // A sender that reuses connections must not use one that is just being closed.
    keepAliveTimeout: 120_000,
    // It is evidence; the parser must not refuse it.
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
  // Under TLS, the last answers are still being sent.
  await new Promise((resolve) => setTimeout(resolve, flushMs));
  server.closeAllConnections();
  connections.destroy();
  await closed;
}
