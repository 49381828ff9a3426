import { gzipSync } from 'node:zlib';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deliver, OutgoingRequest } from '../../src/reference/deployment.ts';
import { pour } from '../support/hostileServer.ts';
import { bomb } from './bomb.ts';
import type { HostileRow } from './row.ts';
import { deploymentWith, stateConfig } from './stateRows.ts';

/** What a caller does with the address that a callback goes to. */
type Call = (request: OutgoingRequest, dial: () => Socket) => unknown;

const checks = ['wci.callbacks.changes', 'wci.callbacks.unasked', 'wci.callbacks.emission'];

/** A conforming deployment whose deliveries somebody else makes, badly. */
function calling(call: Call): HostileRow['open'] {
  return async () => {
    const sockets = new Set<Socket>();
    const deliver: Deliver = async (request) => {
      const { hostname, port } = new URL(request.route?.address ?? request.url);
      const dial = () => {
        const socket = connect(Number(port), hostname);
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
        socket.on('error', () => undefined);
        socket.resume();
        return socket;
      };
      call(request, dial);
      await sleep(30);
      return { status: 200 };
    };
    const { url, stateHandler, close } = await deploymentWith(deliver).open();
    return {
      ...{ url, config: stateConfig(stateHandler, checks) },
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await close();
      },
    };
  };
}

/** The request as it ought to be sent, but for its head or body. */
function text(
  request: OutgoingRequest,
  changes: { readonly head?: string; readonly body?: string } = {},
): string {
  const { pathname, search, host } = new URL(request.url);
  const { head = '', body = request.body } = changes;
  const fields = Object.entries(request.headers).filter(([name]) => !/^(content-length|host)$/i.test(name));
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const length = head.includes('Transfer-Encoding') ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${request.method} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${lines}${length}${head}\r\n${body}`;
}

const writes =
  (of: (request: OutgoingRequest) => string): Call =>
  (request, dial) =>
    dial().write(of(request));
const withBody = (body: string) => writes((request) => text(request, { body }));
const changed = (change: (body: Record<string, unknown>) => unknown) =>
  writes((request) =>
    text(request, { body: JSON.stringify(change(JSON.parse(request.body) as Record<string, unknown>)) }),
  );
const times =
  (count: number, call: Call): Call =>
  (request, dial) => {
    for (let index = 0; index < count; index += 1) call(request, dial);
  };
const right = writes((request) => text(request));

const calls: Readonly<Record<string, Call>> = {
  'sends 500 MB': (request, dial) => {
    const socket = dial();
    socket.write(text(request, { body: '' }).replace('Content-Length: 0', `Content-Length: ${500 << 20}`));
    pour(socket, Buffer.alloc(1 << 20, 'a'), 500);
  },
  'sends without end': (request, dial) => {
    const socket = dial();
    socket.write(text(request, { head: 'Transfer-Encoding: chunked\r\n', body: '' }));
    pour(socket, Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, 'a'), Buffer.from('\r\n')]));
  },
  'sends half a head and waits': writes((request) => text(request).slice(0, 40)),
  'sends half a body and waits': writes((request) => text(request).slice(0, -5)),
  'sends half a body and resets': (request, dial) => {
    const socket = dial();
    socket.write(text(request).slice(0, -5), () => socket.resetAndDestroy());
  },
  'sends garbage': writes(() => '\u0000\u0001\u0002garbage\r\n\r\n'),
  'speaks TLS': writes(() => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'),
  'speaks HTTP/2': writes(() => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'sends a head of 1 MB': writes((request) => text(request, { head: `X-Long: ${'a'.repeat(1 << 20)}\r\n` })),
  'smuggles a second request': writes((request) =>
    text(request, {
      head: 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
      body: '0\r\n\r\nPOST / HTTP/1.1\r\n\r\n',
    }),
  ),
  'sends each callback five hundred times': times(500, right),
  'holds six hundred connections': times(600, (_request, dial) => dial()),
  'sends a hundred requests in one go': writes((request) => text(request).repeat(100)),
  'sends very deep JSON': withBody('['.repeat(100_000) + ']'.repeat(100_000)),
  'sends lone surrogates and a prototype': withBody('{"__proto__":{"a":1},"note":"\\ud800"}'),
  'sends a number beyond all': withBody('{"data":1e999}'),
  'sends another key': writes((request) =>
    text(request, { head: 'X-API-Key: somebody-elses-key-0123456789\r\n' }),
  ),
  'sends another id': changed(
    (body) => JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f]{8}-/g, '00000000-')) as unknown,
  ),
  'sends a list': changed((body) => [body]),
  'sends nothing': withBody(''),
  'sends single bytes': (request, dial) => {
    const socket = dial();
    for (const byte of Buffer.from(text(request))) socket.write(Buffer.from([byte]));
  },
  'expects to be asked for its body, and never sends it': writes(
    (request) => `${text(request, { head: 'Expect: 100-continue\r\n' }).split('\r\n\r\n')[0] ?? ''}\r\n\r\n`,
  ),
  'expects what nobody offers': writes((request) => text(request, { head: 'Expect: 200-ok\r\n' })),
  'sends ten thousand header fields': writes((request) => text(request, { head: 'A: b\r\n'.repeat(10_000) })),
  'sends a thousand header fields': writes((request) => text(request, { head: 'A: b\r\n'.repeat(1_000) })),
  'asks by other methods': (request, dial) => {
    for (const method of ['GET', 'PUT', 'CONNECT', 'TRACE', 'OPTIONS', 'PRI', 'post'])
      dial().write(text(request).replace(request.method, method));
  },
  'names a whole address': writes((request) =>
    text(request).replace(/ \//, ` http://169.254.169.254${new URL(request.url).pathname.slice(0, 1)}`),
  ),
  'names another host': writes((request) => text(request).replace(/Host: .*/, 'Host: evil.example')),
  'names no host': writes((request) => text(request).replace(/Host: .*\r\n/, '')),
  'wants a web socket': writes((request) =>
    text(request, { head: 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' }),
  ),
  'sends a chunk extension of 1 MB': writes((request) =>
    text(request, {
      head: 'Transfer-Encoding: chunked\r\n',
      body: `2;a=${'b'.repeat(1 << 20)}\r\n{}\r\n0\r\n\r\n`,
    }),
  ),
  'sends a gzip bomb': (request, dial) => {
    const body = bomb(gzipSync, 200);
    const head = text(request, {
      head: 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
      body: '',
    });
    const socket = dial();
    socket.write(`${head}${body.length.toString(16)}\r\n`);
    socket.write(body);
    socket.write('\r\n0\r\n\r\n');
  },
  'says that its body is one longer': writes((request) =>
    text(request).replace(
      /Content-Length: (\d+)/,
      (_whole, length) => `Content-Length: ${Number(length) + 1}`,
    ),
  ),
  'says that its body is one shorter': writes((request) =>
    text(request).replace(
      /Content-Length: (\d+)/,
      (_whole, length) => `Content-Length: ${Number(length) - 1}`,
    ),
  ),
  'sends bytes that are no UTF-8': (request, dial) =>
    dial().write(Buffer.from(text(request, { body: '{"a":"\u00ff\u00fe"}' }), 'latin1')),
  'calls other paths': writes((request) =>
    text({ ...request, url: `${new URL(request.url).origin}/../../etc/passwd` }),
  ),
  'calls at once and again after the end': (request, dial) => {
    right(request, dial);
    setTimeout(() => right(request, dial), 2_000).unref();
  },
};

/** Callers that treat the sink badly. */
export const callerRows: readonly HostileRow[] = Object.entries(calls).map(([name, call]) => ({
  ...{ group: 'callers of the sink', name, end: 'any', open: calling(call) },
}));
