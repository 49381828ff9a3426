import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/core/clock.ts';
import { makeCertificate } from '../../src/receive/certificate.ts';
import { Inbox, tokensFrom } from '../../src/receive/inbox.ts';
import type { SinkLimits } from '../../src/receive/limits.ts';
import { openSinkServer } from '../../src/receive/sinkServer.ts';
import type { Script } from '../../src/receive/script.ts';

interface Given {
  readonly limits?: Partial<SinkLimits>;
  readonly script?: Script;
  readonly tls?: boolean;
  readonly clock?: Clock;
}

/** A server of a sink with one address, until the test is over. */
export async function openTestSink({ limits = {}, script, tls = false, clock = systemClock }: Given = {}) {
  const inbox = new Inbox({ clock, newToken: tokensFrom('test') });
  const mailbox = inbox.open(script);
  const certificate = tls ? makeCertificate(['callbacks.example.com', '127.0.0.1']) : null;
  const heads = new Counter();
  const admit: Inbox['admit'] = (target) => {
    heads.add();
    return inbox.admit(target);
  };
  const place = { host: '127.0.0.1', port: 0 };
  const server = await openSinkServer({ inbox: { admit }, clock, ...place, certificate, limits });
  onTestFinished(() => server.close());
  return { inbox, mailbox, server, certificate, path: `/${mailbox.token}`, headsReached: heads.reached };
}

/** Tells when something has happened so often. */
class Counter {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  add(): void {
    this.#count += 1;
    for (const look of this.#waiting) look();
  }

  readonly reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (this.#count < count) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
}

/** Writes to the server and returns all that comes until it closes, or how the connection broke. */
export async function raw(port: number, ...parts: readonly Part[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  const came = new Counter();
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    came.add();
  });
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${text}${error.code ?? ''}`));
  });
  for (const part of parts) {
    if (part === 'answer') await came.reached(1);
    else if (part instanceof Promise) await part;
    else socket.write(part.bytes, 'latin1');
  }
  return ended;
}

/** Bytes to write, something to wait for, or the first bytes of an answer to wait for. */
type Part = { readonly bytes: string } | Promise<unknown> | 'answer';

/** A request with a body, as bytes. */
export function post(
  path: string,
  body: string,
  headers: readonly string[] = [],
): { readonly bytes: string } {
  const lines = [`POST ${path} HTTP/1.1`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`];
  return { bytes: `${lines.join('\r\n')}\r\n\r\n${body}` };
}

/** The head of a request and its body, apart. */
export function inTwo({ bytes }: { readonly bytes: string }) {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return [{ bytes: bytes.slice(0, end) }, { bytes: bytes.slice(end) }] as const;
}

/** Headers of a request after which the connection closes. */
export const lastOne = ['Host: sink.example.com', 'Connection: close'];
