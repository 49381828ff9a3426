import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { resolveSettings } from '../index.ts';
import { openStateHandler, openUrlTarget } from './url.ts';

const seen: string[] = [];
const server: Server = createServer((request, response) => {
  seen.push(request.headers.connection ?? '');
  response
    .writeHead(200, { 'Content-Type': 'application/json' })
    .end('{"ok":true,"states":["reset","callbacks.pending"]}');
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('each state goes over a connection of its own, so that none meets one that is just ending', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_state`;
  const config = { target: url, keys: { primary: 'env:KEY' } };
  const settings = resolveSettings(config, { env: { KEY: 'k-123456' } });
  const handler = await openStateHandler({ url, auth: null }, settings, systemClock);
  await handler.set('reset', { key: 'k' });
  expect(seen).toEqual(['close', 'close']);
});

test('with --read-only it is asked, and sets nothing', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_state`;
  const config = { target: url, keys: { primary: 'env:KEY' }, stateHandler: { url }, readOnly: true };
  const settings = resolveSettings(config, { env: { KEY: 'k-123456' } });
  const target = await openUrlTarget(settings, systemClock);
  const before = seen.length;
  expect(target.stateHandler.states).toEqual(['callbacks.pending']);
  await target.stateHandler.set('callbacks.pending', {});
  await expect(target.stateHandler.set('reset', {})).rejects.toThrow('--read-only');
  expect(seen).toHaveLength(before + 1);
  await target.close();
});

test('an answer without end is not read to its end', async () => {
  const endless = createServer((_request, response) => {
    const more = () => {
      while (response.write('a'.repeat(65_536))) if (response.destroyed) return;
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/_state`;
  const settings = resolveSettings(
    { target: url, keys: { primary: 'env:KEY' } },
    { env: { KEY: 'k-123456' } },
  );
  await expect(openStateHandler({ url, auth: null }, settings, systemClock)).rejects.toThrow(
    /longer than 1048576 bytes/,
  );
  endless.closeAllConnections();
  await new Promise((resolve) => endless.close(resolve));
});
