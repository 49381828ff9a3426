import { answer, drip } from '../support/hostileServer.ts';
import { json, empty, ok, says, type Rows } from './wireAnswers.ts';

/** What a connection does that is no answer, or comes beside one. */
export const connections: Rows = [
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
