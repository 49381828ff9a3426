import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSilentServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import type { WireRequest } from './transport.ts';
import { createUndiciTransport } from './undiciTransport.ts';

const http: HttpSettings = {
  ...{ connectTimeoutMs: 5_000, responseTimeoutMs: 5_000, maxBodyBytes: 1_000, proxy: null },
  ...{ extraCa: null, clientCert: null, clientKey: null, headers: {} },
};

/** Long enough to tell from what a connection takes. */
const answerMs = 60;

test('a result tells how long its request waited for a connection', async () => {
  const server = createServer((_, response) => void sleep(answerMs).then(() => response.end('{}')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request: WireRequest = {
    ...{ baseUrl: `http://127.0.0.1:${port}`, method: 'GET', target: '/', headers: [], body: null },
    connection: 'the only one',
  };
  const transport = createUndiciTransport(http, systemClock);
  const results = await Promise.all([transport.send(request), transport.send(request)]);
  const waits = results.map(({ socketMs = Number.NaN }) => socketMs).sort((a, b) => a - b);
  expect(waits[0]).toBeGreaterThanOrEqual(0);
  // The second one has to wait for the answer of the first one, give or take the resolution of timers.
  expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(answerMs - 5);
  for (const { socketMs = Number.NaN, timings } of results)
    expect(socketMs).toBeLessThan(timings.received - timings.sent);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  const { outcome, socketMs } = await transport.send({ ...request, connection: 'another one' });
  expect(outcome.kind).toBe('failure');
  expect(socketMs).toBeUndefined();
  await transport.close();
});

test('what is not sent again goes over no connection that the server may be closing', async () => {
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    // After a second without a request nothing more is read, and the end is some time on its way.
    setTimeout(() => request.socket.pause(), 1_000);
    setTimeout(() => request.socket.resetAndDestroy(), 1_400);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request: WireRequest = { baseUrl, method: 'POST', target: '/', headers: [], body: Buffer.from('{}') };
  const transport = createUndiciTransport(http, systemClock);
  const first = await transport.send(request);
  await sleep(1_150);
  const second = await transport.send(request);
  expect([first.outcome.kind, second.outcome.kind]).toEqual(['response', 'response']);
  await transport.close();
  server.close();
});

test('a server that closes idle connections gets a new one for what is not sent again', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer({ keepAliveTimeout: 1, keepAliveTimeoutBuffer: 0 }, (request, response) => {
    asked.push(request.headers.connection);
    // Without the header that names the time.
    response.setHeader('Connection', 'keep-alive');
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = { baseUrl, target: '/', headers: [], body: null };
  const transport = createUndiciTransport(http, systemClock);
  await transport.send({ ...request, method: 'POST' });
  await transport.send({ ...request, method: 'GET' });
  await sleep(200);
  await transport.send({ ...request, method: 'POST' });
  expect(asked).toEqual(['keep-alive', 'keep-alive', 'close']);
  await transport.close();
  server.close();
});

test.each([
  ['https://qa.invalid', 'environmentProxy', /^the proxy: .*UND_ERR_HEADERS_TIMEOUT/],
  ['https://qa.invalid', 'proxy', /^the proxy: .*UND_ERR_HEADERS_TIMEOUT/],
  ['http://qa.invalid', 'environmentProxy', /UND_ERR_HEADERS_TIMEOUT/],
] as const)(
  'a proxy that takes a request to %s and says nothing is given up in time (%s)',
  async (...row) => {
    const [baseUrl, given, message] = row;
    const silent = createSilentServer((socket) => socket.resume());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const through =
      given === 'proxy' ? { proxy: url } : { environmentProxy: { http: url, https: url, none: '' } };
    const soon = { ...http, connectTimeoutMs: 500, responseTimeoutMs: 500, ...through };
    const transport = createUndiciTransport(soon, systemClock);
    const request = { baseUrl, method: 'GET', target: '/', headers: [], body: null } as const;
    const { outcome, timings } = await transport.send(request);
    await transport.close();
    silent.close();
    expect(outcome).toMatchObject({ kind: 'failure', failure: { reason: 'timeout' } });
    expect(outcome.kind === 'failure' ? outcome.failure.message : '').toMatch(message);
    expect(timings.received - timings.sent).toBeLessThan(10_000);
  },
);

test('a body that is said to be in chunks is sent in many, without its length', async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { 'transfer-encoding': coding = null, 'content-length': length = null } = request.headers;
      response.end(JSON.stringify({ coding, length, text: Buffer.concat(chunks).toString() }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createUndiciTransport(http, systemClock);
  const text = 'é'.repeat(100);
  const { outcome } = await transport.send({
    ...{ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, method: 'POST', target: '/' },
    headers: [['transfer-encoding', 'chunked']],
    body: Buffer.from(text),
  });
  const read = outcome.kind === 'response' ? Buffer.from(outcome.response.body).toString() : '';
  expect(JSON.parse(read)).toEqual({ coding: 'chunked', length: null, text });
  await transport.close();
  server.close();
  server.closeAllConnections();
});
