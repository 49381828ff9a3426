import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import type { WireRequest } from '../send/transport.ts';
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

/**
 * Answers the requests of a burst once all have arrived; `end` says how an answer ends: by its length, or by closing the
 * connection, as PHP's own server does.
 */
async function testServer(together: number, end: 'length' | 'closing') {
  let connections = 0;
  const waiting: (() => void)[] = [];
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const path = /GET (\S+)/.exec(data.toString())?.[1] ?? '';
      const head = end === 'length' ? `Content-Length: ${path.length}\r\n` : '';
      const answer = () => socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n${head}\r\n${path}`);
      if (path === '/first') return answer();
      waiting.push(answer);
      if (waiting.length === together) waiting.forEach((one) => one());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, baseUrl: `http://127.0.0.1:${port}`, seen: () => connections };
}

function get(baseUrl: string, target: string): WireRequest {
  return { baseUrl, method: 'GET', target, headers: [], body: null };
}

test.each(['length', 'closing'] as const)(
  'a burst reads answers that end by their %s, each request over a connection of its own',
  async (end) => {
    const { server, baseUrl, seen } = await testServer(70, end);
    const ordinary = createUndiciTransport(http, systemClock);
    const transport = withBursts(ordinary, http, systemClock);
    try {
      await transport.send(get(baseUrl, '/first'));
      const requests = Array.from({ length: 70 }, (_, index) => get(baseUrl, `/${index}`));
      const results = (await transport.burst?.(requests)) ?? [];
      const bodies = results.map(({ outcome }) =>
        outcome.kind === 'response' ? Buffer.from(outcome.response.body).toString() : outcome.failure.message,
      );
      expect(bodies).toEqual(requests.map(({ target }) => target));
      expect(seen()).toBe(71);
    } finally {
      await ordinary.close();
      server.close();
    }
  },
);
