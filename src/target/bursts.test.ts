import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { withBursts } from './bursts.ts';

const http: HttpSettings = {
  connectTimeoutMs: 5_000,
  responseTimeoutMs: 5_000,
  maxBodyBytes: 1_000,
  proxy: null,
  extraCa: null,
  clientCert: null,
  clientKey: null,
  headers: {},
};

/** Answers no request until all have come, and ends each answer by closing its connection, as PHP's own server does. */
async function closingServer(together: number) {
  const waiting: (() => void)[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const path = /GET (\S+)/.exec(request.toString())?.[1] ?? '';
      waiting.push(() => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${path}`));
      if (waiting.length === together) waiting.forEach((answer) => answer());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, baseUrl: `http://127.0.0.1:${address.port}` };
}

test('a burst reads answers that end with their connection, each request over a connection of its own', async () => {
  const { server, baseUrl } = await closingServer(70);
  const ordinary = createUndiciTransport(http, systemClock);
  const requests = Array.from({ length: 70 }, (_, index) => ({
    baseUrl,
    method: 'GET',
    target: `/${index}`,
    headers: [],
    body: null,
  }));
  try {
    const results = (await withBursts(ordinary, http, systemClock).burst?.(requests)) ?? [];
    const bodies = results.map(({ outcome }) =>
      outcome.kind === 'response' ? Buffer.from(outcome.response.body).toString() : outcome.failure.message,
    );
    expect(bodies).toEqual(requests.map(({ target }) => target));
  } finally {
    await ordinary.close();
    server.close();
  }
});
