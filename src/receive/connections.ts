import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** One connection of a sender. */
export interface Connection {
  /** Its name in the evidence: `k1`, `k2`, … */
  readonly id: string;
  /** Address and port of the sender, which are the same below and above TLS. */
  readonly peer: string;
  /** Requests that were read but not answered yet. */
  held: number;
}

/** The connections of a server: their names, and how to break or slow them. */
export class Connections {
  readonly #known = new WeakMap<Socket, Connection>();
  /** The sockets below TLS; only these can be reset. */
  readonly #raw = new Map<string, Socket>();
  /** Sockets of one address, the oldest first. */
  readonly #peers = new Map<string, Set<Socket>>();
  /** Connections on which a request is being answered. */
  readonly #busy = new Set<string>();
  readonly #mostOfPeer: number;
  readonly #onClosed: () => void;
  #count = 0;

  /** `onClosed` is called for each connection that is closed because its address has too many. */
  constructor(server: Server, mostOfPeer: number, onClosed: () => void) {
    [this.#mostOfPeer, this.#onClosed] = [mostOfPeer, onClosed];
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

  /** If an address has too many connections open, its oldest idle one is closed, so that nobody is shut out. */
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
    this.#onClosed();
  }

  of(socket: Socket): Connection {
    const known = this.#known.get(socket);
    if (known) return known;
    this.#count += 1;
    const connection = { id: `k${this.#count}`, peer: peerOf(socket), held: 0 };
    this.#known.set(socket, connection);
    return connection;
  }

  /** If several requests of a sender are unanswered, nothing more is read from it. */
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

  /** Closes it with a TCP reset. */
  reset(socket: Socket): void {
    const raw = this.#raw.get(peerOf(socket)) ?? socket;
    raw.resetAndDestroy();
    if (raw !== socket) socket.destroy();
  }

  /** Closes all of them, including those whose TLS handshake is not complete. */
  destroy(): void {
    for (const socket of this.#raw.values()) socket.destroy();
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
