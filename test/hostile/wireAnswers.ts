import type { Socket } from 'node:net';
import { answer, type Mischief } from '../support/hostileServer.ts';
import type { HostileRow } from './row.ts';

/** Headers of a JSON answer. */
export const json = { 'Content-Type': 'application/json' };
/** The body of an empty list. */
export const empty = JSON.stringify({ success: true, data: [], pagination: { page: 0, limit: 1, total: 0 } });
/** An answer that a list conforms with. */
export const ok = answer('200 OK', json, empty);

/** Rows of one group: a name, what the server does, and how the exchange ends. */
export type Rows = readonly (readonly [name: string, mischief: Mischief, end?: HostileRow['end']])[];

/** A server that writes this text, and ends the connection or leaves it open. */
export const says =
  (text: string, ends = true) =>
  (socket: Socket) =>
    ends ? socket.end(text, 'latin1') : socket.write(text, 'latin1');
/** A server that writes 200 with these header lines, and leaves the connection open. */
export const head = (lines: string, body = empty) =>
  says(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n${body}`, false);
