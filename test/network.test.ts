import {
  createServer as createHttp,
  request as requestOf,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttps } from 'node:https';
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generate } from 'selfsigned';
import { afterEach, expect, test, vi, type MockInstance } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { resolveSettings, run, type Config, type RunResult } from '../src/index.ts';
import { makeCertificate } from '../src/receive/certificate.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { virtualRun } from './support/virtualRun.ts';

const { enterprises, keys } = defaultEnterprises(21);
const [key = ''] = keys.primary;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A conforming deployment as a listener for a server of any kind; `seen` gets the heads of its requests. */
function deployment(seen: IncomingMessage[] = [], prefix = ''): RequestListener {
  const own = createDeployment({ enterprises });
  closing.push(() => own.close());
  return (request, response) => {
    seen.push(request);
    if (!request.url?.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    return void forward(own, { request, response, path: request.url.slice(prefix.length) });
  };
}

interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

async function forward(
  own: ReturnType<typeof createDeployment>,
  { request, response, path }: Forwarded,
): Promise<void> {
  const hasBody = request.method === 'POST';
  const answer = await own.fetch(
    new Request(`http://deployment.test${path}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
      ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {}),
    }),
  );
  response.writeHead(answer.status, [...answer.headers].flat());
  response.end(await answer.text());
}

async function listening(server: Server, host = '127.0.0.1', wanted = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wanted, host, resolve);
  });
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** A short smoke run; what it says of the target and how many requests were answered. */
async function smoke(
  config: Config,
  change = (settings: ReturnType<typeof resolveSettings>) => settings,
): Promise<RunResult> {
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-network-'));
  closing.push(() => rmSync(root, { recursive: true, force: true }));
  const settings = resolveSettings(
    {
      profile: 'smoke',
      seed: 1,
      budgets: { maxRequests: 50 },
      ...config,
      http: { responseTimeout: '3s', ...config.http },
      keys: { primary: 'env:KEY' },
    },
    { env: { KEY: key } },
  );
  return (await run(change(settings), { root })).result;
}

function expectReached({ run: { end }, summary }: RunResult): void {
  expect(end === 'completed' || end === 'budget').toBe(true);
  expect(summary.failed).toBe(0);
  expect(summary.passed).toBeGreaterThan(0);
}

function fileOf(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-pem-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('a deployment under a path prefix, with the headers of its gateway', async () => {
  const seen: IncomingMessage[] = [];
  const port = await listening(createHttp(deployment(seen, '/partners/v2')));
  const result = await smoke({
    target: `http://127.0.0.1:${port}/partners/v2`,
    http: { headers: { 'X-Environment': 'qa' } },
  });
  expectReached(result);
  expect(seen.every(({ headers }) => headers['x-environment'] === 'qa')).toBe(true);
});

test('two hosts, one for each API', async () => {
  const [one, two]: IncomingMessage[][] = [[], []];
  const [first, second] = [
    await listening(createHttp(deployment(one))),
    await listening(createHttp(deployment(two))),
  ];
  const baseUrls = { webcheckin: `http://127.0.0.1:${first}`, 'flight-alerts': `http://127.0.0.1:${second}` };
  expectReached(await smoke({ baseUrls }));
  expect(one?.every(({ url }) => url?.includes('/webcheckin/'))).toBe(true);
  expect(two?.every(({ url }) => url?.includes('/flight-alerts'))).toBe(true);
  expect([one?.length, two?.length].every((count) => (count ?? 0) > 0)).toBe(true);
});

const hasIpv6 = await dns.promises.lookup('::1').then(
  async () => {
    const probe = createHttp();
    const fits = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true));
    });
    probe.close();
    return fits;
  },
  () => false,
);
if (!hasIpv6) console.log('skipped: no IPv6 on this machine');

test.runIf(hasIpv6)('an IPv6 address', async () => {
  const port = await listening(createHttp(deployment()), '::1');
  expectReached(await smoke({ target: `http://[::1]:${port}` }));
});

type Lookup = (host: string, options: LookupOptions, done: (...found: unknown[]) => void) => void;

/** Lets a name resolve to these addresses, in this order, until the test is over. */
function resolving(
  name: string,
  addresses: readonly LookupAddress[],
  asked: (() => void) | null = null,
): void {
  const original = dns.lookup as Lookup;
  const found = vi.spyOn(dns, 'lookup') as unknown as MockInstance<Lookup>;
  closing.push(() => found.mockRestore());
  found.mockImplementation((host, options, done) => {
    if (host !== name) {
      original(host, options, done);
      return;
    }
    asked?.();
    if (options.all === true) done(null, addresses);
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  });
}

const swallower = join(import.meta.dirname, 'support/swallower.js');
const dead = { address: '127.0.0.2', family: 4 };
const alive = { address: '127.0.0.1', family: 4 };

test.each([
  ['the first', [alive, dead]],
  ['the second', [dead, alive]],
])('a name with two addresses of which only %s answers', async (_which, addresses) => {
  const port = await listening(createHttp(deployment()));
  resolving('two-addresses.test', addresses);
  expectReached(await smoke({ target: `http://two-addresses.test:${port}` }));
});

/** An address whose listener takes no connection, so that what is sent there vanishes; `wake` lets it take them after all. */
async function swallowing(host: string, port = 0) {
  const child = spawn(process.execPath, [swallower, host, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const held: Socket[] = [];
  closing.push(() => {
    for (const socket of held) socket.destroy();
    child.kill('SIGKILL');
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const own = Number(said.toString());
  child.kill('SIGSTOP');
  // Its queue holds two; the system drops what comes to a full one.
  for (let isFull = false; !isFull && held.length < 20;) {
    const socket = connect(own, host).on('error', () => undefined);
    held.push(socket);
    isFull = await Promise.race([once(socket, 'connect').then(() => false), sleep(300, true)]);
  }
  return { port: own, wake: () => child.kill('SIGCONT') };
}

const canSwallow = process.platform === 'linux';
if (!canSwallow) console.log('skipped: only Linux drops what comes to a full queue');

test.runIf(canSwallow)(
  'a name of which one address swallows packets: the run goes on by the other',
  async () => {
    const { port } = await swallowing('127.0.0.2');
    const live = createHttp(deployment());
    await listening(live, '127.0.0.1', port);
    resolving('one-swallows.test', [dead, alive]);
    expectReached(
      await smoke({ target: `http://one-swallows.test:${port}`, http: { connectTimeout: '2s' } }),
    );
  },
  60_000,
);

test.runIf(canSwallow)(
  'an address that takes a second to answer is given that time, where the next one swallows packets',
  async () => {
    const { port, wake } = await swallowing('127.0.0.2');
    await swallowing('127.0.0.1', port);
    resolving('slow-and-swallowing.test', [dead, alive], () => setTimeout(wake, 400).unref());
    const { run: ended, summary } = await smoke({ target: `http://slow-and-swallowing.test:${port}` });
    // The listener answers, though not as the deployment would.
    expect([ended.end, summary.failed, summary.requests]).toEqual(['not-this-api', 0, 3]);
    expect((summary.reasons ?? []).join(' ')).toContain('418');
  },
  60_000,
);

test.runIf(canSwallow)(
  'a name of which every address swallows packets is told by them',
  async () => {
    const { port } = await swallowing('127.0.0.2');
    await swallowing('127.0.0.1', port);
    resolving('all-swallow.test', [dead, alive]);
    const { run: ended, summary } = await smoke({
      target: `http://all-swallow.test:${port}`,
      http: { connectTimeout: '600ms' },
    });
    expect(ended.end).toBe('target-lost');
    expect((summary.reasons ?? []).join(' ')).toMatch(
      /127\.0\.0\.2:\d+, 127\.0\.0\.1:\d+.*Check the network path/s,
    );
  },
  60_000,
);

/** One that a server takes from a client; it is its own authority. */
async function clientCertificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const made = await generate([{ name: 'commonName', value: 'gatecheck client' }], {
    keyType: 'ec',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'extKeyUsage', clientAuth: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

test('a certificate of an own authority, and one of the client that the server asks for', async () => {
  const [server, client] = [makeCertificate(['127.0.0.1']), await clientCertificate()];
  const options = { cert: server.cert, key: server.key, requestCert: true, rejectUnauthorized: true };
  const port = await listening(createHttps({ ...options, ca: [client.cert] }, deployment()));
  const http = { extraCa: fileOf('ca.pem', server.ca ?? server.cert) };
  const target = `https://127.0.0.1:${port}`;
  const mutual = {
    clientCert: fileOf('client.pem', client.cert),
    clientKey: fileOf('client.key', client.key),
  };
  expectReached(await smoke({ target, http: { ...http, ...mutual } }));
  expect((await smoke({ target, http })).run.end).toBe('target-lost');
});

/** A proxy that counts what goes through it, by request or by tunnel. */
async function proxy(): Promise<{ readonly url: string; readonly count: () => number }> {
  let count = 0;
  const server = createHttp((request, response) => {
    count += 1;
    const { port, pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const upstream = requestOf(
      { host: '127.0.0.1', port, path: pathname + search, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(upstream);
  });
  server.on('connect', (request: IncomingMessage, socket, head: Buffer) => {
    count += 1;
    const [, port = '80'] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [upstream, socket]) one.on('error', () => undefined);
    socket.on('close', () => upstream.destroy());
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}

test('a proxy of the environment, but for what it exempts and for this machine', async () => {
  const port = await listening(createHttp(deployment()));
  const { url, count } = await proxy();
  const through = (none: string, target: string) =>
    smoke({ target }, (settings) => ({
      ...settings,
      http: { ...settings.http, environmentProxy: { http: url, https: null, none } },
    }));
  expectReached(await through('', `http://qa.invalid:${port}`));
  const used = count();
  expect(used).toBeGreaterThan(0);
  expect((await through('qa.invalid', `http://qa.invalid:${port}`)).run.end).toBe('target-lost');
  expectReached(await through('', `http://127.0.0.1:${port}`));
  expect(count()).toBe(used);
});

test('a way of a second there and back costs time and no verdict', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 22));
  const own = createDeployment({ clock, enterprises, deliver: () => Promise.resolve({ status: 200 }) });
  const { session } = await virtualRun({
    app: (request) => own.fetch(request),
    clock,
    primary: [key],
    config: { profile: 'smoke' },
    transport: (inner) => ({
      ...inner,
      send: async (request) => {
        await clock.sleep(500);
        const answer = await inner.send(request);
        await clock.sleep(500);
        return answer;
      },
    }),
  });
  await own.close();
  expect(session.end).toBe('completed');
  const statuses = session.outcomes.flatMap(({ verdicts }) =>
    [...verdicts.values()].map(({ status }) => status),
  );
  expect(statuses.filter((status) => status === 'fail' || status === 'inconclusive')).toEqual([]);
});

test.each([500, 503])('an outage of %i in the middle of a run ends it, and is no finding', async (status) => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 22));
  const own = createDeployment({ clock, enterprises, deliver: () => Promise.resolve({ status: 200 }) });
  const body = JSON.stringify({ success: false, error: 'INTERNAL_ERROR', message: 'x' });
  const headers = { 'Content-Type': 'application/json' };
  let requests = 0;
  const { session } = await virtualRun({
    app: (request) => {
      requests += 1;
      return requests > 15 ? Promise.resolve(new Response(body, { status, headers })) : own.fetch(request);
    },
    clock,
    primary: [key],
    config: { profile: 'smoke' },
  });
  await own.close();
  expect(session.end).toBe('target-lost');
  expect(session.endReason).toContain('is left alone');
  expect(requests).toBeLessThan(60);
  expect(session.outcomes.flatMap(({ findings }) => findings)).toEqual([]);
  const statuses = session.outcomes.flatMap(({ verdicts }) =>
    [...verdicts.values()].map((one) => one.status),
  );
  expect(statuses).toContain('pass');
  expect(statuses).not.toContain('fail');
});
