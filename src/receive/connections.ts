import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a sender. */
export interface Connection {
  /** Its name in the evidence: `k1`, `k2`, … */
  readonly id: string;
  /** Address and port of the sender, which below and above TLS are the same. */
  readonly peer: string;
  /** Requests that were read and are not answered yet. */
  held: number;
}

/** The connections of a server: what they are called, and the means to break or slow them. */
export class Connections {
  readonly #known = new WeakMap<Socket, Connection>();
  /** The sockets below TLS, which alone can be reset. */
  readonly #raw = new Map<string, Socket>();
  /** Those of one address, the oldest first. */
  readonly #peers = new Map<string, Set<Socket>>();
  /** Those on which a request is being answered. */
  readonly #busy = new Set<string>();
  readonly #mostOfPeer: number;
  #count = 0;

  constructor(server: Server, mostOfPeer: number) {
    this.#mostOfPeer = mostOfPeer;
    server.on('connection', (socket: Socket) => {
      const name = peerOf(socket);
      this.#raw.set(name, socket);
      this.#join(socket, socket.remoteAddress ?? '');
      socket.once('close', () => {
        this.#busy.delete(name);
        if (this.#raw.get(name) === socket) this.#raw.delete(name);
      });
    });
  }

  /** An address that holds many connections open shuts no sender out, not even itself: its oldest idle one makes room. */
  #join(socket: Socket, address: string): void {
    const own = this.#peers.get(address) ?? new Set();
    this.#peers.set(address, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) this.#peers.delete(address);
    });
    if (own.size <= this.#mostOfPeer) return;
    const idle = [...own].find((one) => one !== socket && !this.#busy.has(peerOf(one)));
    (idle ?? socket).destroy();
  }

  of(socket: Socket): Connection {
    const known = this.#known.get(socket);
    if (known) return known;
    this.#count += 1;
    const connection = { id: `k${this.#count}`, peer: peerOf(socket), held: 0 };
    this.#known.set(socket, connection);
    return connection;
  }

  /** A sender that does not wait for answers is read no further while several of its requests are without one. */
  hold(socket: Socket, connection: Connection): void {
    connection.held += 1;
    this.#busy.add(connection.peer);
    if (connection.held > 1) socket.pause();
  }

  release(socket: Socket, connection: Connection): void {
    connection.held -= 1;
    if (connection.held === 0) this.#busy.delete(connection.peer);
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
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
