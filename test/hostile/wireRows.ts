import { connections } from './connectionRows.ts';
import { framing } from './framingRows.ts';
import { raw, type Group, type HostileRow } from './row.ts';
import { pour } from '../support/hostileServer.ts';
import { empty, type Rows } from './wireAnswers.ts';

const mebibyte = Buffer.alloc(1 << 20, 'a');

const sizes: Rows = [
  [
    'a body of 200 MB',
    (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${200 << 20}\r\n\r\n`,
      );
      pour(socket, mebibyte, 200);
    },
  ],
  [
    'a body without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      pour(socket, mebibyte);
    },
  ],
  [
    'chunks without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, Buffer.concat([Buffer.from('100000\r\n'), mebibyte, Buffer.from('\r\n')]));
    },
  ],
  [
    'chunks of one byte',
    (socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${Array.from(empty, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
      ),
  ],
];

function rowsOf(group: Group, rows: Rows): readonly HostileRow[] {
  return rows.map(([name, mischief, end = 'any']) => ({ group, name, end, open: raw(mischief) }));
}

/** What goes wrong below HTTP and in its framing. */
export const wireRows: readonly HostileRow[] = [
  ...rowsOf('connections', connections),
  ...rowsOf('framing', framing),
  ...rowsOf('sizes', sizes),
];
