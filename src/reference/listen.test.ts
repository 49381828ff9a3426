import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createDeployment } from './deployment.ts';
import { defaultEnterprises } from './enterprises.ts';
import { listen } from './listen.ts';

const key = defaultEnterprises(1).keys.primary[0] ?? '';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(options: Parameters<typeof listen>[1]) {
  const deployment = createDeployment();
  const listening = await listen(deployment, options);
  closing.push(
    () => deployment.close(),
    () => listening.close(),
  );
  return listening;
}

const state = (url: string | null, name: string, params: object) =>
  fetch(url ?? '', { method: 'POST', body: JSON.stringify({ state: name, params }) });

test('the APIs answer over HTTP, with the date of the deployment', async () => {
  const { url, stateHandlerUrl } = await opened({ stateHandler: true });
  await state(stateHandlerUrl, 'clock.advance', { seconds: 86_400 });
  const response = await fetch(`${url}/extPartner/api/webcheckin/requests`, {
    headers: { 'x-api-key': key },
  });
  expect(response.status).toBe(200);
  expect(Date.parse(response.headers.get('date') ?? '') - Date.now()).toBeGreaterThan(86_000_000);
});

test('the state handler stands on a port of its own, or nowhere', async () => {
  const apart = await opened({ statePort: 0 });
  expect(new URL(apart.stateHandlerUrl ?? '').port).not.toBe(new URL(apart.url).port);
  expect((await state(apart.stateHandlerUrl, 'capabilities', {})).status).toBe(200);
  expect((await state(`${apart.url}/_state`, 'capabilities', {})).status).toBe(404);
  expect((await opened({})).stateHandlerUrl).toBeNull();
});

test('deliveries to a routed host arrive at its address under the name of the host', async () => {
  const received = Promise.withResolvers<{ host: string | undefined; path: string | undefined }>();
  const sink = createServer((request, response) => {
    received.resolve({ host: request.headers.host, path: request.url });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => sink.close(resolve)));
  const { url, stateHandlerUrl } = await opened({ stateHandler: true });
  const address = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
  await state(stateHandlerUrl, 'callbacks.route', { host: 'sink.example.com', address });
  const leg = {
    flightNumber: 'QR1',
    departureDate: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
    departureAirportIata: 'DOH',
    arrivalAirportIata: 'LHR',
  };
  const callbackData = { fid: '1', callbackUrl: 'https://sink.example.com/cb/%41?x=1' };
  await fetch(`${url}/extPartner/api/flight-alerts/subscribe`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...leg, callbackData }),
  });
  await state(stateHandlerUrl, 'flights.change', { ...leg, changes: { status: 'delay' } });
  expect(await received.promise).toEqual({ host: 'sink.example.com', path: '/cb/%41?x=1' });
});
