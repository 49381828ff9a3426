import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly id: string;
  /** Requests that were read and are not answered yet. */
  held: number;
}

/** The connections of a server: what they are called, and the means to break or slow them. */
export class Connections {
  readonly #known = new WeakMap<Socket, Connection>();
  /** The sockets below TLS, which alone can be reset. */
  readonly #raw = new Map<string, Socket>();
  #count = 0;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      const name = peerOf(socket);
      this.#raw.set(name, socket);
      socket.once('close', () => {
        if (this.#raw.get(name) === socket) this.#raw.delete(name);
      });
    });
  }

  /** Its name in the evidence: `k1`, `k2`, … */
  of(socket: Socket): string {
    return this.#connection(socket).id;
  }

  /** A sender that does not wait for answers is read no further while several of its requests are without one. */
  hold(socket: Socket): void {
    const connection = this.#connection(socket);
    connection.held += 1;
    if (connection.held > 1) socket.pause();
  }

  release(socket: Socket): void {
    const connection = this.#connection(socket);
    connection.held -= 1;
    if (connection.held === 1) socket.resume();
  }

  /** Breaks it with a TCP reset. */
  reset(socket: Socket): void {
    const raw = this.#raw.get(peerOf(socket)) ?? socket;
    raw.resetAndDestroy();
    if (raw !== socket) socket.destroy();
  }

  /** Breaks all of them, also those on which TLS does not stand yet. */
  destroy(): void {
    for (const socket of this.#raw.values()) socket.destroy();
  }

  #connection(socket: Socket): Connection {
    const known = this.#known.get(socket);
    if (known) return known;
    this.#count += 1;
    const connection = { id: `k${this.#count}`, held: 0 };
    this.#known.set(socket, connection);
    return connection;
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
