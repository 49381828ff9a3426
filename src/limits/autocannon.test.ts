import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { WireRequest } from '../send/transport.ts';
import { burst, flood } from './autocannon.ts';

/** Hints at something early, as a gateway may, before it answers. */
const server = createServer((_request, response) => {
  response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => {
    response.writeHead(429, { 'content-type': 'application/json' }).end('{"success":false}');
  });
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const request = (): WireRequest => ({ method: 'GET', baseUrl, target: '/list', headers: [], body: null });

test('an informational answer is not the answer of a burst', async () => {
  const results = await burst([request(), request(), request()], { clock: systemClock, timeoutMs: 5000 });
  const answers = results.map(({ outcome }) =>
    outcome.kind === 'response'
      ? `${outcome.response.status} ${Buffer.from(outcome.response.body).toString()}`
      : outcome.failure.message,
  );
  expect(answers).toEqual(Array.from({ length: 3 }, () => '429 {"success":false}'));
});

test('nor one of a flood', async () => {
  const statuses: number[] = [];
  await flood([request()], {
    ...{ baseUrl, connections: 2, durationMs: 5000, maxRequests: 6, timeoutMs: 5000 },
    signal: new AbortController().signal,
    onAnswer: (_index, status) => statuses.push(status),
    onError: (error) => {
      throw error;
    },
  });
  expect(statuses).toEqual([429, 429, 429, 429, 429, 429]);
});
