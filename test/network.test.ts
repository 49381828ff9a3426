import { createServer as createHttp, request as requestOf, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import dns, { type LookupOptions } from 'node:dns';
import { connect, isIPv6 } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, test, vi } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { makeCertificate } from '../src/receive/certificate.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { listen } from '../src/reference/listen.ts';
import { judgedRows } from '../src/run/judgedRows.ts';
import {
  closing,
  deployment,
  enterprises,
  expectReached,
  key,
  listening,
  smoke,
} from './support/networkTarget.ts';
import { virtualRun } from './support/virtualRun.ts';

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

const probe = createHttp();
const hasIpv6 = await new Promise<boolean>((resolve) => {
  probe.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true));
});
probe.close();
if (!hasIpv6) console.log('skipped: no IPv6 on this machine');

test.runIf(hasIpv6)('an IPv6 address', async () => {
  const port = await listening(createHttp(deployment()), '::1');
  expectReached(await smoke({ target: `http://[::1]:${port}` }));
});

test.runIf(hasIpv6)('the sandbox and the callback sink of a run, both on ::1', async () => {
  const own = createDeployment({ enterprises });
  const opened = await listen(own, { host: '::1' });
  closing.push(
    () => own.close(),
    () => opened.close(),
  );
  const result = await smoke({
    target: opened.url,
    sink: { listen: '[::1]:0' },
    budgets: { maxRequests: 60, maxQuota: 20 },
  });
  expect(opened.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expectReached(result);
  expect(result.summary.callbacks).toBeGreaterThan(0);
});

test.each([
  ['first', ['127.9.9.9', '127.0.0.1']],
  ['second', ['127.0.0.1', '127.9.9.9']],
  ['of the other family', ['::1', '127.0.0.1']],
])(
  'a name with two addresses of which one is dead (the %s): the other one is used, and nothing is lost',
  async (_which, addresses) => {
    const port = await listening(createHttp(deployment()));
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const asked = vi.spyOn(dns, 'lookup').mockImplementation(((
      _name: string,
      { family, all }: LookupOptions,
      answer: (error: Error | null, ...found: readonly unknown[]) => void,
    ) => {
      const fitting = found.filter((one) => !family || one.family === family);
      const [first] = fitting;
      process.nextTick(() =>
        all ? answer(null, fitting) : answer(null, first?.address ?? '', first?.family ?? 0),
      );
    }) as never);
    closing.push(() => asked.mockRestore());
    const result = await smoke({ target: `http://partner.test:${port}` });
    expectReached(result);
    expect(asked).toHaveBeenCalled();
    expect(result.requirements.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  },
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
  const through = (none: string, target: string, given: 'http' | 'https' = 'http') =>
    smoke({ target }, (settings) => ({
      ...settings,
      http: { ...settings.http, environmentProxy: { http: null, https: null, none, [given]: url } },
    }));
  expectReached(await through('', `http://qa.invalid:${port}`));
  const used = count();
  expect(used).toBeGreaterThan(0);
  expect((await through('qa.invalid', `http://qa.invalid:${port}`)).run.end).toBe('target-lost');
  expect((await through('', `http://qa.invalid:${port}`, 'https')).run.end).toBe('target-lost');
  expectReached(await through('', `http://127.0.0.1:${port}`));
  expect(count()).toBe(used);
});

test('a way of a second there and back costs time and no verdict', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 22));
  const own = createDeployment({ clock, enterprises, deliver: () => Promise.resolve({ status: 200 }) });
  const { session, settings, checks } = await virtualRun({
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
  const rows = judgedRows(settings, { checks, outcomes: session.outcomes, dialect: session.dialect });
  const bad = [...rows].filter(([, { status }]) => status === 'fail' || status === 'inconclusive');
  expect(bad.map(([{ id }]) => id)).toEqual([]);
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
  // What was seen is told, as undecided.
  const findings = session.outcomes.flatMap(({ findings: own }) => own);
  expect(findings.filter(({ severity }) => severity !== 'inconclusive')).toEqual([]);
  const statuses = session.outcomes.flatMap(({ verdicts }) =>
    [...verdicts.values()].map((one) => one.status),
  );
  expect(statuses).toContain('pass');
  expect(statuses).not.toContain('fail');
});
