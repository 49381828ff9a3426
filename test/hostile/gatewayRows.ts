import { zstdCompressSync } from 'node:zlib';
import { answer, openHostileServer, pour, type Mischief } from '../support/hostileServer.ts';
import { bomb } from './bomb.ts';
import { headersOf, raw, shaped, type HostileRow } from './row.ts';

// What stands between people and a deployment: firewalls, portals, caches, proxies, address books of other servers.

const json = { 'Content-Type': 'application/json' };
const html = { 'Content-Type': 'text/html' };
const page = '<!doctype html><html><head><title>Please wait</title></head><body>Sign in</body></html>';
const empty = JSON.stringify({ success: true, data: [], pagination: { page: 0, limit: 1, total: 0 } });
const ok = answer('200 OK', json, empty);

const always =
  (status: string, head: Readonly<Record<string, string>>, body = page): Mischief =>
  (socket) =>
    socket.write(answer(status, head, body));

/** Nothing of the API comes through. */
const walls: Readonly<Record<string, Mischief>> = {
  'a portal that wants a login first: 511': always('511 Network Authentication Required', html),
  'a block by law: 451': always('451 Unavailable For Legal Reasons', html),
  'the wrong server of many: 421': always('421 Misdirected Request', html),
  'another protocol first: 426': always('426 Upgrade Required', { ...html, Upgrade: 'h2c, websocket' }),
  'no expectation is met: 417': always('417 Expectation Failed', html),
  'not so early: 425': always('425 Too Early', html),
  'a page that loads another': always('200 OK', { ...html, Refresh: '0; url=http://127.0.0.1:9/' }),
  'a picture': always('200 OK', { 'Content-Type': 'image/png' }, '\u0089PNG\r\n\u001a\n'),
  'a part of something: 206': always(
    '206 Partial Content',
    { ...json, 'Content-Range': 'bytes 0-1/9' },
    '{}',
  ),
  'a script in place of data': always('200 OK', { 'Content-Type': 'text/javascript' }, `cb(${empty})`),
  'a guard against hijacked JSON': always('200 OK', json, `)]}',\n${empty}`),
  'an error in XML': always(
    '200 OK',
    { 'Content-Type': 'application/xml' },
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
  ),
};

/** Something of the API may come through. */
const odd: Readonly<Record<string, Mischief>> = {
  'says 408 to connections that wait': (socket) => {
    socket.write(ok);
    setTimeout(() => socket.end(answer('408 Request Timeout', { Connection: 'close' }, '')), 3);
  },
  'pours on behind its answer': (socket) => {
    socket.write(ok);
    pour(socket, Buffer.alloc(1 << 16, 'HTTP/1.1 200 OK\r\n\r\n'));
  },
  'a length that is one too long': (socket) =>
    socket.write(answer('200 OK', { ...json, 'Content-Length': `${empty.length + 1}` }, empty)),
  'a length that is one too short': (socket) =>
    socket.write(answer('200 OK', { ...json, 'Content-Length': `${empty.length - 1}` }, empty)),
  'zstd that nobody asked for': (socket) =>
    socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'zstd' }, zstdCompressSync(empty))),
  'a zstd bomb': (socket) => {
    const body = bomb(zstdCompressSync, 200);
    socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'zstd' }, body));
  },
  'ten thousand header fields': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(10_000)}Content-Length: 2\r\n\r\n{}`),
  'commands for the terminal in its status line': (socket) =>
    socket.write(`HTTP/1.1 500 \u001b[2J\u001b]0;x\u0007\r\nContent-Length: 2\r\n\r\n{}`, 'latin1'),
  'commands for the terminal in its head': (socket) =>
    socket.write(answer('418 Teapot', { ...json, 'X-Note': '\u009b2J\u009d0;x', Server: '\u202egnp' }, '{}')),
  'a kind of content of 8 kB': always(
    '200 OK',
    { 'Content-Type': `application/json; a="${'b'.repeat(8000)}"` },
    empty,
  ),
  'limits that nobody knows': always(
    '200 OK',
    {
      ...json,
      'RateLimit-Remaining': '-1',
      'X-RateLimit-Reset': '1e308',
      'RateLimit-Limit': 'NaN',
      'Retry-After': '9e9',
    },
    empty,
  ),
  'waits that double': (socket, count) =>
    socket.write(answer('429 Too Many Requests', json, JSON.stringify({ retryAfter: 2 ** count }))),
};

/** Addresses of another server, to which no request may go. */
const elsewhere: Readonly<
  Record<string, (url: string) => readonly [status: string, head: Record<string, string>]>
> = {
  'another service': (url) => ['200 OK', { ...json, 'Alt-Svc': `http/1.1="${new URL(url).host}"; ma=99999` }],
  'what it would load': (url) => [
    '200 OK',
    { ...json, Link: `<${url}>; rel=preload`, 'Content-Location': url },
  ],
  'what it made': (url) => ['201 Created', { ...json, Location: url }],
  'where reports go': (url) => [
    '200 OK',
    { ...json, 'Report-To': JSON.stringify({ endpoints: [{ url }] }), NEL: '{"report_to":"default"}' },
  ],
  'a proxy to use: 305': (url) => ['305 Use Proxy', { Location: url }],
};

const naming = Object.entries(elsewhere).map(([name, answerOf]): HostileRow => ({
  ...{ group: 'gateways', name: `names another server as ${name}`, end: 'any' },
  open: async () => {
    const other = await openHostileServer((socket) => socket.write(ok));
    const [status, head] = answerOf(other.url);
    const server = await openHostileServer((socket) => socket.write(answer(status, head, empty)));
    const close = () => Promise.all([server.close(), other.close()]);
    return { url: server.url, elsewhere: other.requests, close };
  },
}));

/** A conforming deployment before which something else answers, from its ninth request on. */
const turns: Readonly<Record<string, () => Response>> = {
  'a firewall that blocks': () => new Response(page, { status: 403, headers: html }),
  'a login page': () => new Response(page, { headers: html }),
  'a redirect to a login page': () => new Response(null, { status: 302, headers: { Location: '/login' } }),
  'a page for repairs': () =>
    new Response(page, { status: 503, headers: { ...html, 'Retry-After': '3600' } }),
  'a limit of the network': () => new Response(page, { status: 429, headers: html }),
  'a challenge for people': () =>
    new Response(page, { status: 401, headers: { ...html, 'WWW-Authenticate': 'Basic' } }),
  'a gateway without a server': () => new Response('upstream connect error', { status: 502 }),
  'a gateway in JSON': () =>
    Response.json({ message: 'no Route matched with those values' }, { status: 404 }),
};

/** Rules of the documents: a 429 tells in JSON how long to wait, whoever says it. */
const broken = new Set(['a limit of the network']);

const turning = Object.entries(turns).map(([name, made]): HostileRow => ({
  ...{ group: 'gateways', name: `${name}, from the ninth request on`, end: 'any' },
  ...(broken.has(name) ? {} : { blames: 'nobody' }),
  open: () => {
    let count = 0;
    return shaped((response) => Promise.resolve((count += 1) > 8 ? made() : response))();
  },
}));

/** An echo service, as people start it to see what is sent. */
const echoing: HostileRow = {
  ...{ group: 'key echoes', name: 'the whole request', end: 'any' },
  open: shaped(async (response, request) => {
    const headers = Object.fromEntries(request.headers);
    const body = JSON.stringify({ success: true, data: [], args: {}, headers, url: request.url });
    await response.text();
    return new Response(body, { headers: headersOf(response) });
  }),
};

const rowOf =
  (end: HostileRow['end']) =>
  ([name, mischief]: readonly [string, Mischief]): HostileRow => ({
    group: 'gateways',
    name,
    end,
    open: raw(mischief),
  });

/** What stands before a deployment and answers in its place. */
export const gatewayRows: readonly HostileRow[] = [
  ...Object.entries(walls).map(rowOf('lost')),
  ...Object.entries(odd).map(rowOf('any')),
  ...naming,
  ...turning,
  echoing,
];
