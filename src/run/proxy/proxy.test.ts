import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, afterEach, expect, test } from 'vitest';
import { defects } from '../../reference/defects.ts';
import { startReference, type StartedReference } from '../../reference/startReference.ts';
import { resolveSettings } from '../../settings/settings.ts';
import type { PassedView } from '../../sink/page/proxyNews.ts';
import { faultForm } from './faults.ts';
import { openProxy, type StandingProxy } from './proxy.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

interface Standing {
  readonly proxy: StandingProxy;
  readonly reference: StartedReference;
  readonly shown: readonly PassedView[];
}

async function stand(faults: readonly string[] = [], defect?: string): Promise<Standing> {
  const { policy } = defects.find(({ id }) => id === defect) ?? {};
  const reference = await startReference({ seed: 5, ...(policy ? { policy } : {}) });
  opened.push(() => reference.close());
  const { primary, other } = reference.keys;
  const settings = resolveSettings(
    {
      target: 'embedded',
      seed: 7,
      reportDir: join(folder, 'report'),
      keys: { primary: 'env:ONE', other: 'env:TWO' },
    },
    { env: { ONE: primary.join(','), TWO: other.join(',') } },
  );
  const shown: PassedView[] = [];
  const proxy = await openProxy(settings, {
    ...{ target: reference.url, listen: { host: '127.0.0.1', port: 0 }, takesCallbacks: true },
    faults: faults.map((text) => faultForm.parse(text)),
    ...{ pathSecret: null, isOneEnterprise: false, apis: null, har: null, pagePort: 0 },
    ...{ command: 'gatecheck proxy', root: folder, notice: () => undefined },
    show: (view) => shown.push(view),
  });
  return { proxy, reference, shown };
}

const booking = (callbackUrl?: string) => ({
  pnr: 'ABC123',
  flights: [
    {
      ...{ airline: 'LH', flight_number: '400', origin: 'FRA', destination: 'MUC' },
      departure_datetime: `${new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)}T10:00:00`,
    },
  ],
  passengers: [{ first_name: 'Ada', last_name: 'Lovelace' }],
  ...(callbackUrl === undefined
    ? {}
    : { callbackData: { callbackUrl, auth_header: 'X-API-Key: of-the-client-1' } }),
});

async function call(url: string, key: string, body?: unknown) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await request(url, { method: text === null ? 'GET' : 'POST', headers, body: text });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: JSON.parse(await answer.body.text()) as Json,
  };
}
type Json = Readonly<Record<string, unknown>>;

const subscribePath = '/extPartner/api/webcheckin/subscribe';
const listPath = '/extPartner/api/webcheckin/requests';

test('a client sees the answers of the deployment, which is judged: a record of another enterprise is found', async () => {
  const { proxy, reference } = await stand([], 'status-of-anyone');
  const [mine = ''] = reference.keys.primary;
  const [theirs = ''] = reference.keys.other;
  const { status, json } = await call(proxy.url + subscribePath, mine, booking());
  expect([status, json.message]).toEqual([200, 'SCHEDULED']);
  const own = `/extPartner/api/webcheckin/status?checkin_id=${String(json.checkin_id)}`;
  expect((await call(proxy.url + own, theirs)).status).toBe(200);
  const { result, exitCode } = await proxy.finish();
  expect(exitCode).toBe(1);
  expect(result.findings.map(({ requirement }) => requirement)).toEqual(['WCI-SCP-001']);
  const har = readFileSync(join(folder, 'report', 'evidence.har'), 'utf8');
  expect(JSON.parse(har)).toMatchObject({ log: { entries: { length: 2 } } });
  for (const key of [mine, theirs]) expect(har).not.toContain(key);
});

test('faults strike as they are asked for, are not judged, and early repetition is told', async () => {
  const { proxy, reference, shown } = await stand(['429=30x1', 'lostx1@wci.list']);
  const [key = ''] = reference.keys.primary;
  const first = await call(proxy.url + listPath, key);
  expect(first).toMatchObject({ status: 429, json: { success: false, retryAfter: 30 } });
  expect(first.headers['x-gatecheck-proxy']).toBe('fault 429=30x1');
  await expect(call(proxy.url + listPath, key)).rejects.toThrow();
  expect((await call(proxy.url + listPath, key)).status).toBe(200);
  expect(proxy.counts).toMatchObject({ requests: 2, struck: 2, violated: 0 });
  const early = 'client sent again before retryAfter was over';
  expect(shown.map(({ what, key: label, answer, notes }) => [what, label, answer, notes])).toEqual([
    ['wci.list', 'primary#1', '429', ['fault 429=30x1']],
    ['wci.list', 'primary#1', '200', [early, 'fault lostx1@wci.list']],
    ['wci.list', 'primary#1', '200', [early]],
  ]);
  expect(Object.fromEntries(proxy.clientFaults)).toEqual({ 'sent again before retryAfter was over': 2 });
  expect((await proxy.finish()).exitCode).toBe(0);
});

test('callbacks pass on the way to the client, which answers them, and are judged', async () => {
  const { proxy, reference, shown } = await stand(['callback-twicex1']);
  const [key = ''] = reference.keys.primary;
  const came: string[] = [];
  const client = createServer((incoming, response) => {
    came.push(`${incoming.url ?? ''} ${String(incoming.headers['x-api-key'])}`);
    incoming.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve));
  opened.push(() => new Promise((resolve) => client.close(resolve).closeAllConnections()));
  const hook = `http://127.0.0.1:${(client.address() as AddressInfo).port}/hook?id=7`;
  const { json } = await call(proxy.url + subscribePath, key, booking(hook));
  const passengers = [{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }];
  await call(`${proxy.url}/extPartner/api/webcheckin/update`, key, {
    checkin_id: json.checkin_id,
    passengers,
  });
  await expect.poll(() => shown.find(({ kind }) => kind === 'callback')?.answer).toBe('204');
  expect(came).toEqual(['/hook?id=7 of-the-client-1', '/hook?id=7 of-the-client-1']);
  const { result } = await proxy.finish();
  expect(result.summary).toMatchObject({ callbacks: 1, failed: 0 });
  const verdictOf = (id: string) => result.requirements.find((one) => one.id === id)?.verdict;
  expect(verdictOf('WCI-CB-005')).toBe('pass');
});

test('what is no request to the target goes nowhere, and a target that is not there is told', async () => {
  const { proxy, reference } = await stand();
  await reference.close();
  opened.pop();
  const answer = await call(proxy.url + listPath, 'gk_live_0123456789abcdefghij');
  expect(answer).toMatchObject({ status: 502, json: { error: 'GATECHECK_PROXY' } });
  const { result } = await proxy.finish();
  expect(result.summary).toMatchObject({ requests: 1, failed: 0 });
});

test('the page follows what passes, takes faults, and refuses other hosts and sites', async () => {
  const { proxy, reference } = await stand();
  const page = proxy.pageUrl ?? '';
  const post = (fault: string, headers: Record<string, string> = {}) =>
    request(`${page}do/fault`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ fault }),
    });
  expect((await request(page, { headers: { host: 'evil.example.com' } })).statusCode).toBe(404);
  expect((await post('503', { origin: 'https://evil.example.com' })).statusCode).toBe(403);
  expect((await post('nothing')).statusCode).toBe(400);
  expect((await post('503x1')).statusCode).toBe(200);
  expect((await call(proxy.url + listPath, reference.keys.primary[0] ?? '')).status).toBe(503);
  const { body } = await request(`${page}news`);
  for await (const chunk of body) {
    const news = JSON.parse(String(chunk).replace(/^data: /, '')) as {
      counts: Json;
      faults: readonly Json[];
    };
    expect(news).toMatchObject({
      counts: { struck: 1 },
      faults: [{ text: '503x1', struck: 1, isOver: true }],
    });
    break;
  }
  await proxy.finish();
});
