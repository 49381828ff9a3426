import { answer, drip, pour } from '../support/hostileServer.ts';
import { json, empty, ok, says, head, type Rows } from './wireAnswers.ts';

const bodyHead = `Content-Type: application/json\r\nContent-Length: ${empty.length}`;

/** Heads, lengths and chunks that are wrong, strange or from another protocol. */
export const framing: Rows = [
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
  [
    'a header field of 16 kB',
    head(`X-Long: ${'a'.repeat(16_384)}\r\nContent-Length: ${empty.length}`),
    'lost',
  ],
  ['no reason phrase', says(`HTTP/1.1 200 \r\n${bodyHead}\r\n\r\n${empty}`)],
  ['no blank after the status', says(`HTTP/1.1 200\r\n${bodyHead}\r\n\r\n${empty}`)],
  [
    'an upgrade to WebSocket',
    says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', false),
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
