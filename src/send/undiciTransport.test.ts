import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
