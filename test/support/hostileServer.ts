import { type AddressInfo, type Socket, createServer } from 'node:net';

/** What a hostile server does with one request, whose head it has read; `count` says how many came before it. */
export type Mischief = (socket: Socket, count: number) => void;

interface HostileServer {
  readonly url: string;
  /** Requests that came. */
  readonly requests: () => number;
  close(): Promise<void>;
}

/** A server of this machine that speaks HTTP as badly as it is told; `atOnce` where no whole head of a request is to come. */
export async function openHostileServer(mischief: Mischief, atOnce = false): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let requests = 0;
  let closed = false;
  const server = createServer((socket) => {
    // One that came while it closed would hold it open for ever.
    if (closed) return void socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let head = '';
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      // Bodies of requests are small and come with their heads.
      if (!atOnce && !head.includes('\r\n\r\n')) return;
      head = '';
      mischief(socket, requests++);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: async () => {
      closed = true;
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A whole answer with a right content length, unless the head gives another. */
export function answer(
  status: string,
  head: Readonly<Record<string, string>>,
  body: Uint8Array | string,
): Buffer {
  const bytes = Buffer.from(body);
  const fields = { 'Content-Length': String(bytes.length), ...head };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), bytes]);
}

/** Writes pieces as fast as the other side reads them, until it goes away. */
export function pour(socket: Socket, piece: Uint8Array, pieces = Number.POSITIVE_INFINITY): void {
  let left = pieces;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(piece)) return;
    }
    if (left <= 0) socket.off('drain', more);
  };
  socket.on('drain', more);
  more();
}

/** Writes one piece after another with a pause between. */
export function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
}
