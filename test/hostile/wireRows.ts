import type { Socket } from 'node:net';
import { answer, drip, pour, type Mischief } from '../support/hostileServer.ts';
import { raw, type Group, type HostileRow } from './row.ts';

const json = { 'Content-Type': 'application/json' };
const empty = JSON.stringify({ success: true, data: [], pagination: { page: 0, limit: 1, total: 0 } });
const ok = answer('200 OK', json, empty);
const mebibyte = Buffer.alloc(1 << 20, 'a');

type Rows = readonly (readonly [name: string, mischief: Mischief, end?: HostileRow['end']])[];

const says =
  (text: string, ends = true) =>
  (socket: Socket) =>
    ends ? socket.end(text, 'latin1') : socket.write(text, 'latin1');
const head = (lines: string, body = empty) => says(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n${body}`, false);

const connections: Rows = [
  ['never answers', () => undefined, 'lost'],
  ['closes without a word', (socket) => socket.end(), 'lost'],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'lost'],
  ['closes in the middle of the head', says('HTTP/1.1 200 OK\r\nContent-Ty'), 'lost'],
  ['closes in the middle of the body', says('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"suc'), 'lost'],
  [
    'closes in the middle of a chunk',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nab'),
    'lost',
  ],
  ['stops in the middle of the head', says('HTTP/1.1 200 OK\r\nContent-', false), 'lost'],
  [
    'stops in the middle of the body',
    says('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"s', false),
    'lost',
  ],
  [
    'stops in the middle of a chunk',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\na', false),
    'lost',
  ],
  ['stops reading', (socket) => socket.pause(), 'lost'],
  [
    'drips its head',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-Drip: a\r\n', 50);
    },
    'lost',
  ],
  [
    'drips its body',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{');
      drip(socket, ' ', 50);
    },
    'lost',
  ],
  [
    'answers twice to each request',
    (socket) => {
      socket.write(ok);
      socket.write(ok);
    },
  ],
  ['closes after each answer', (socket) => socket.end(ok)],
  [
    'resets every second request',
    (socket, count) => {
      if (count % 2 === 0) socket.resetAndDestroy();
      else socket.write(ok);
    },
  ],
  [
    'leaves every third request without an answer',
    (socket, count) => {
      if (count % 3 !== 2) socket.write(ok);
    },
  ],
  [
    'dies after four answers',
    (socket, count) => {
      if (count < 4) socket.write(ok);
      else socket.destroy();
    },
  ],
  [
    'answers in single bytes',
    (socket) => {
      for (const byte of ok) socket.write(Buffer.from([byte]));
    },
  ],
  [
    'answers late, each time later',
    (socket, count) => {
      setTimeout(() => socket.write(ok), 40 * count).unref();
    },
  ],
  [
    'closes each connection a moment after its answer',
    (socket) => {
      socket.write(ok);
      setTimeout(() => socket.end(), 1);
    },
  ],
  [
    'resets each connection a moment after its answer',
    (socket) => {
      socket.write(ok);
      setTimeout(() => socket.resetAndDestroy(), 2);
    },
  ],
  [
    'says that it closes, and does not',
    (socket) => socket.write(answer('200 OK', { ...json, Connection: 'close' }, empty)),
  ],
  [
    'keeps connections for no time at all',
    (socket) =>
      socket.write(
        answer('200 OK', { ...json, Connection: 'keep-alive', 'Keep-Alive': 'timeout=0, max=0' }, empty),
      ),
  ],
  [
    'answers the next request before it comes',
    (socket, count) => {
      socket.write(ok);
      if (count % 2 === 0) setTimeout(() => socket.write(ok), 5);
    },
  ],
  [
    'answers with what belongs to another request',
    (socket, count) =>
      socket.write(count % 2 === 0 ? ok : answer('200 OK', json, '{"success":true,"legs":[]}')),
  ],
  [
    'greets with a fault of HTTP/2',
    (socket) => socket.end(Buffer.from('\u0000\u0000\u0008\u0007\u0000\u0000\u0000\u0000\u0000', 'latin1')),
    'lost',
  ],
];

const framing: Rows = [
  [
    'garbage',
    (socket) => socket.end(Buffer.from([0x16, 3, 1, 0, 0xff, 0xfe, 0x0d, 0x0a, 0x0d, 0x0a])),
    'lost',
  ],
  ['an SMTP greeting', says('220 mail.example ESMTP\r\n'), 'lost'],
  ['an SSH banner', says('SSH-2.0-OpenSSH_9.9\r\n'), 'lost'],
  ['HTTP/2 frames', (socket) => socket.end(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])), 'lost'],
  ['the body only, as HTTP/0.9', says(empty), 'lost'],
  ['HTTP/1.0', says(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${empty}`)],
  ['HTTP/3.7', says(`HTTP/3.7 200 OK\r\n\r\n${empty}`), 'lost'],
  [
    'a head without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, Buffer.from(`X-More: ${'a'.repeat(1000)}\r\n`));
    },
    'lost',
  ],
  [
    'a header field of 100 kB',
    head(`X-Long: ${'a'.repeat(100_000)}\r\nContent-Length: ${empty.length}`),
    'lost',
  ],
  ['three hundred header fields', head(`${'X-Many: a\r\n'.repeat(300)}Content-Length: ${empty.length}`)],
  ['two lengths', says('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'), 'lost'],
  [
    'a length and chunks',
    says('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
    'lost',
  ],
  ['a negative length', says('HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}'), 'lost'],
  [
    'a length of a quintillion',
    says('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000000\r\n\r\n{}', false),
    'lost',
  ],
  ['a length that is no number', says('HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n{}'), 'lost'],
  [
    'a length that is too short',
    (socket) => socket.write(answer('200 OK', { ...json, 'Content-Length': '2' }, '{}{}{}')),
  ],
  [
    'a chunk size that is no number',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'),
    'lost',
  ],
  [
    'a chunk of a quintillion bytes',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n{}', false),
    'lost',
  ],
  [
    'a chunk extension of 1 MB',
    says(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=${'b'.repeat(1 << 20)}\r\n{}\r\n0\r\n\r\n`,
    ),
    'lost',
  ],
  ['no last chunk', says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'), 'lost'],
  ['an unknown transfer coding', says('HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\n{}'), 'any'],
  ['bare line feeds', says('HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'), 'lost'],
  ['a blank before the colon', says('HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}'), 'lost'],
  [
    'a folded header field',
    says(`HTTP/1.1 200 OK\r\nX-Fold: a\r\n b\r\nContent-Length: ${empty.length}\r\n\r\n${empty}`),
    'any',
  ],
  ['NUL in a header field', says('HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\n\r\n{}'), 'lost'],
  [
    'control characters in its head',
    (socket) => socket.write(answer('200 OK', { ...json, 'X-Odd': 'ÿ\u0080 ' }, empty)),
  ],
  ['status 0', says('HTTP/1.1 0 Zero\r\n\r\n{}'), 'lost'],
  ['status 99', says('HTTP/1.1 99 Low\r\n\r\n{}'), 'lost'],
  ['status 1000', says('HTTP/1.1 1000 High\r\n\r\n{}'), 'lost'],
  ['status 999', (socket) => socket.write(answer('999 Whatever', json, empty))],
  ['a status in letters', says('HTTP/1.1 OK\r\n\r\n{}'), 'lost'],
  [
    '101 to another protocol',
    says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'lost',
  ],
  [
    'hints for ever',
    (socket) => pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')),
    'lost',
  ],
  [
    'hints before the answer',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      socket.write(ok);
    },
  ],
  ['204 with a body', says(`HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}`), 'lost'],
  ['304', (socket) => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n'), 'lost'],
  [
    'something behind the answer',
    (socket) => socket.write(Buffer.concat([ok, Buffer.from('GET / HTTP/1.1\r\n\r\n')])),
  ],
  ['the preface of HTTP/2', says('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'lost'],
  ['the same length twice', head(`Content-Length: ${empty.length}\r\nContent-Length: ${empty.length}`)],
  ['a length with a plus', head(`Content-Length: +${empty.length}`), 'lost'],
  ['a length in hexadecimal', head('Content-Length: 0x10'), 'lost'],
  [
    'chunked twice',
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'),
  ],
  [
    'an extension of each of ten thousand chunks',
    says(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`1;${'e'.repeat(100)}\r\n \r\n`.repeat(10_000)}0\r\n\r\n`,
    ),
    'lost',
  ],
  [
    'trailers',
    says(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n${empty.length.toString(16)}\r\n${empty}\r\n0\r\nContent-Length: 7\r\nX-API-Key: k\r\nSet-Cookie: a=b\r\n\r\n`,
      false,
    ),
  ],
  [
    'trailers of 1 MB',
    says(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${empty.length.toString(16)}\r\n${empty}\r\n0\r\n${`X-T: ${'t'.repeat(1000)}\r\n`.repeat(1000)}\r\n`,
      false,
    ),
  ],
  [
    'trailers without end',
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n`);
      pour(socket, Buffer.from(`X-T: ${'t'.repeat(1000)}\r\n`));
    },
    'lost',
  ],
  [
    'a header name beyond ASCII',
    says(
      Buffer.from(`HTTP/1.1 200 OK\r\nX-Schl\u00fcssel: a\r\nContent-Length: 2\r\n\r\n{}`, 'latin1').toString(
        'latin1',
      ),
      false,
    ),
    'lost',
  ],
  ['a header without a name', head(`: a\r\nContent-Length: ${empty.length}`), 'lost'],
  [
    'a header named __proto__',
    head(
      `__proto__: a\r\nconstructor: b\r\nContent-Type: application/json\r\nContent-Length: ${empty.length}`,
    ),
  ],
  [
    'a hundred hints before the answer',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100));
      socket.write(ok);
    },
  ],
  [
    '100 Continue that nobody waits for',
    (socket) => socket.write(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), ok])),
  ],
  [
    'an upgrade to h2c',
    (socket) => socket.write(answer('200 OK', { ...json, Connection: 'Upgrade', Upgrade: 'h2c' }, empty)),
  ],
  [
    'an event stream',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n');
      drip(socket, 'data: {}\n\n', 20);
    },
    'lost',
  ],
];

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
