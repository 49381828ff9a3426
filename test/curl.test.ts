import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Exchange, Headers } from '../src/core/evidence.ts';
import { renderCurl } from '../src/send/curl.ts';

/** One request as it was on the wire. */
interface Arrived {
  readonly line: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

const arrivals: Arrived[] = [];
const server = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    const arrived = readRequest(bytes, socket);
    if (arrived) arrivals.push(arrived);
  });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

function readRequest(bytes: Buffer, socket: Socket): Arrived | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const expectsWord = headers.some(([name]) => name.toLowerCase() === 'expect');
  const body = bytes.subarray(end + 4);
  if (expectsWord && body.length === 0 && length > 0) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
  if (body.length < length) return null;
  socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  return { line, headers, body };
}

interface Sketch {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Headers;
  readonly body?: Uint8Array | string;
  readonly key?: string;
}

function exchangeOf({
  method = 'POST',
  target = '/a/b',
  headers = [],
  body,
  key = 'primary#1',
}: Sketch): Exchange {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  return {
    id: 'x1',
    check: 'c',
    operation: null,
    enterprise: null,
    key,
    request: { method, baseUrl, target, headers, body: body === undefined ? null : Buffer.from(body) },
    outcome: { kind: 'failure', failure: { reason: 'other', message: '', maybeDelivered: false } },
    timings: { sentAt: 0, receivedAt: 0, sent: 0, received: 0 },
  };
}

/** Pastes the command into a POSIX shell, and returns what arrived. */
async function paste(exchange: Exchange): Promise<Arrived> {
  const before = arrivals.length;
  // No settings of a user, and none left behind for others.
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-curl-'));
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GATECHECK_KEYS_PRIMARY: 'key-one,key-$(two)',
    GATECHECK_KEYS_OTHER: 'other-one,other-two',
    GATECHECK_KEY_REVOKED: `it's "revoked"`,
  };
  // From a file, as a terminal knows no longest line either.
  const script = join(folder, 'paste.sh');
  writeFileSync(script, `${renderCurl(exchange)}\n`);
  await promisify(execFile)('sh', [script], { env });
  const [arrived] = arrivals.slice(before);
  if (!arrived) throw new Error('nothing arrived');
  return arrived;
}

const json = ['Content-Type', 'application/json'] as const;
const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);

test.each<[what: string, sketch: Sketch]>([
  ['a plain body', { headers: [json], body: '{"a":1}' }],
  ['single quotes', { headers: [json], body: `{"a":"it's ''"}` }],
  [
    'double quotes, dollars, backticks and backslashes',
    { headers: [json], body: '{"a":"\\"$HOME `id` \\\\n !! %s"}' },
  ],
  ['line breaks and tabs', { headers: [json], body: '{\n\t"a": 1\r\n}\n\n' }],
  ['unicode', { headers: [json], body: '{"a":"Zoë 🛫 \u2028 ‹x›"}' }],
  ['every byte', { headers: [['Content-Type', 'application/octet-stream']], body: everyByte }],
  ['bytes that are no UTF-8', { headers: [json], body: new Uint8Array([0x7b, 0xff, 0x7d]) }],
  ['a body that looks like a file', { headers: [json], body: '@/etc/hostname' }],
  ['a body that looks like an option', { headers: [json], body: '--help' }],
  ['an empty body', { headers: [json], body: '' }],
  ['a long body', { headers: [json], body: `"${'é'.repeat(300_000)}"` }],
  ['a body without a type', { body: '{"a":1}' }],
  ['a read', { method: 'GET' }],
  ['a read with a body', { method: 'GET', headers: [json], body: '{}' }],
  ['a query of every kind', { method: 'GET', target: '/a?b[]=1&c={x}&d=%20+%2B&e=&e=2&f' }],
  ['a path that curl would straighten', { method: 'GET', target: '/a/../b/./c//d' }],
  ['a percent sign and quotes in the path', { method: 'GET', target: `/100%25/it's/%22` }],
  ['a method of its own', { method: 'PATCH', headers: [json], body: '{}' }],
  ['HEAD', { method: 'HEAD' }],
  ['an empty header', { headers: [json, ['X-Empty', '']], body: '{}' }],
  ['repeated headers', { headers: [json, ['X-Two', '1'], ['X-Two', '2']], body: '{}' }],
  ['quotes and dollars in headers', { headers: [json, ['X-Odd', `it's "$HOME" \`id\``]], body: '{}' }],
])('what was sent arrives again, byte for byte: %s', async (_what, sketch) => {
  const exchange = exchangeOf(sketch);
  const { request } = exchange;
  const { line, headers, body } = await paste(exchange);
  expect(line).toBe(`${request.method} /base${request.target} HTTP/1.1`);
  expect(body.equals(Buffer.from(request.body ?? []))).toBe(true);
  // What a client adds of its own says nothing about the request.
  const own = ['host', 'user-agent', 'accept', 'content-length', 'expect', 'connection'];
  const sent = headers.filter(([name]) => !own.includes(name.toLowerCase()));
  expect(sent).toEqual(request.headers);
});

test.each<[label: string, value: string]>([
  ['primary#1', 'key-one'],
  ['primary#2', 'key-$(two)'],
  ['other#2', 'other-two'],
  ['revoked', `it's "revoked"`],
])('the key %s comes from the environment', async (key, value) => {
  const { headers } = await paste(
    exchangeOf({ method: 'GET', key, headers: [['X-API-Key', 'never shown']] }),
  );
  expect(headers.filter(([name]) => name === 'X-API-Key')).toEqual([['X-API-Key', value]]);
});

test('an empty key arrives as an empty header', async () => {
  const { headers } = await paste(exchangeOf({ method: 'GET', headers: [['X-API-Key', '']] }));
  expect(headers.filter(([name]) => name === 'X-API-Key')).toEqual([['X-API-Key', '']]);
});
