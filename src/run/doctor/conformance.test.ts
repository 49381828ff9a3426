import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { startReference } from '../../reference/startReference.ts';
import { resolveSettings } from '../../settings/resolveSettings.ts';
import { examine } from './doctor.ts';
import { paceLine } from './pace.ts';
import { makeChain, openTlsServer } from '../../../test/support/hostileTls.ts';
import { judgeClientCertificate, judgeHandshake, lookAtTls } from './tls.ts';

type Serves = (chain: Awaited<ReturnType<typeof makeChain>>) => TlsOptions;

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

interface Asked {
  readonly state?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
/** What the test's handler answers instead of the reference's; undefined to leave it unchanged. */
type Meddle = (asked: Asked) => { readonly status: number; readonly body: unknown } | undefined;

/** What the doctor says about a state handler that differs from the reference's in this way. */
async function statesOf(meddle: Meddle, triesStates = true): Promise<readonly string[]> {
  const reference = await startReference({ seed: 3 });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      void answer(Buffer.concat(chunks).toString('utf8'), reference.stateHandlerUrl ?? '', meddle).then(
        ({ status, text }) => response.writeHead(status).end(text),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-states-'));
  closes.push(
    () => rmSync(root, { recursive: true }),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
    () => reference.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const settings = resolveSettings(
    { target: reference.url, stateHandler: { url }, keys: { primary: 'env:KEYS' } },
    { env: { KEYS: reference.keys.primary.slice(0, 2).join(',') } },
  );
  const { signal } = new AbortController();
  const lines = await examine({ settings, clock: systemClock, signal, root, triesStates });
  return lines
    .filter(
      ({ area, health, subject }) => area === 'state handler' && (health !== 'ok' || subject === 'effects'),
    )
    .map(({ health, subject, text }) => `${health} ${subject}: ${text}`);
}

async function answer(body: string, handler: string, meddle: Meddle) {
  let asked: Asked = {};
  try {
    asked = JSON.parse(body) as Asked;
  } catch {
    asked = {};
  }
  const own = meddle(asked);
  if (own) return { status: own.status, text: JSON.stringify(own.body) };
  const headers = { 'content-type': 'application/json' };
  const passed = await request(handler, { method: 'POST', headers, body });
  return { status: passed.statusCode, text: await passed.body.text() };
}

const done = { status: 200, body: { ok: true } };

test('a handler that does what it says passes, state by state', async () => {
  const said = await statesOf(() => undefined);
  expect(said).toEqual([
    'ok effects: 10 states do what they say: enterprise.create, keys.issue, keys.revoke, keys.disable, entitlement.set, ' +
      'clock.advance, flights.put, provider.fail, callbacks.pending, reset',
  ]);
});

test.each([
  ['keys.revoke', 'the key gets HTTP 200 afterwards, not 401'],
  ['keys.disable', 'the key gets HTTP 200 afterwards, not 401'],
  ['entitlement.set', 'entitlement.get does not show what was set'],
  ['clock.advance', 'it was asked for 60 s'],
  ['flights.put', 'a lookup of the flight gets HTTP 404'],
  ['provider.fail', 'a lookup gets HTTP 200 while upstream is unavailable, not 502'],
  ['callbacks.pending', 'pending is no count'],
])('a handler that says it did %s and did not is found', async (state, text) => {
  const said = await statesOf(({ state: asked }) => (asked === state ? done : undefined));
  expect(said[0]).toContain(`fail ${state}: ${text}`);
});

test('a handler that takes what the protocol does not allow is told', async () => {
  const said = await statesOf(({ state }) =>
    state === 'gatecheck.unknown' || state === undefined ? done : undefined,
  );
  expect(said.filter((line) => line.startsWith('warn protocol')).map((line) => line.slice(15, 50))).toEqual([
    'a state that nobody knows: expected',
    'a body that is not JSON: expected H',
  ]);
});

const now = Date.parse('2026-11-22T12:00:00Z');
const certificate = {
  valid_from: 'Jan 1 00:00:00 2026 GMT',
  valid_to: 'Mar 1 00:00:00 2027 GMT',
  issuer: 'Example CA',
};

test.each([
  ['ok', {}, 'TLSv1.3, a certificate of Example CA until 2027-03-01'],
  ['warn', { certificate: { ...certificate, valid_to: 'Dec 1 00:00:00 2026 GMT' } }, '8 days from now'],
  ['fail', { certificate: { ...certificate, valid_to: 'Nov 1 00:00:00 2026 GMT' } }, 'has expired'],
  ['fail', { certificate: { ...certificate, valid_from: 'Dec 1 00:00:00 2026 GMT' } }, 'not valid yet'],
  ['fail', { distrust: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ['fail', { protocol: 'TLSv1.1' }, 'TLSv1.1'],
])('a handshake is %s: %j', (health, seen, text) => {
  const [line] = judgeHandshake(
    { protocol: 'TLSv1.3', distrust: null, certificate, isWhole: true, ...seen },
    'qa.example.com',
    { now },
  );
  expect(line).toMatchObject({ health, subject: 'TLS', text: expect.stringContaining(text) as string });
});

test('a certificate that nobody vouches for, of another host, is told twice: both have to be mended', () => {
  const seen = { protocol: 'TLSv1.3', certificate, isWhole: true, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' };
  const otherHost = "Host: qa.example.com. is not cert's CN: other.example";
  const lines = judgeHandshake({ ...seen, otherHost }, 'qa.example.com', { now });
  expect(lines.map(({ health, text, todo }) => `${health} ${text} ${todo ?? ''}`)).toEqual([
    expect.stringMatching(/not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\) Name the authority/),
    expect.stringMatching(
      /^fail qa\.example\.com: the certificate is of another host .*other\.example\) .*use the one that it names/,
    ),
  ]);
  expect(judgeHandshake({ ...seen, otherHost: null }, 'qa.example.com', { now })).toHaveLength(1);
  const told = judgeHandshake(
    { ...seen, distrust: 'ERR_TLS_CERT_ALTNAME_INVALID', otherHost },
    'qa.example.com',
    { now },
  );
  expect(told).toHaveLength(1);
});

test.each([
  [false, 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /asks for a client certificate/],
  [true, 'it says nothing', /refuses http\.clientCert/],
])(
  'a server that ends the connection after the handshake is told: own certificate %s',
  (shows, refusal, todo) => {
    const seen = { protocol: 'TLSv1.3', distrust: null, certificate, isWhole: true, refusal };
    const [line] = judgeHandshake(seen, 'qa.example.com', { now, shows });
    expect(line).toMatchObject({ health: 'fail', todo: expect.stringMatching(todo) as string });
    expect(line?.text).toContain(`right after the handshake (${refusal})`);
  },
);

test.each([
  [[-90, -1], /^fail http\.clientCert expired on 20/],
  [[2, 90], /^fail http\.clientCert is not valid until 20/],
  [[-90, 9], /^warn http\.clientCert expires on 20.*, 8 days from now/],
  [[-90, 90], null],
] as const)('the dates of the client certificate are looked at: %j', async (days, said) => {
  const { leaf } = await makeChain({ days });
  const [line] = judgeClientCertificate(leaf, Date.now());
  if (said === null) expect(line).toBeUndefined();
  else expect(`${line?.health ?? ''} ${line?.text ?? ''}`).toMatch(said);
});

test('a client certificate that is asked for and missing is found out, though the handshake ends well', async () => {
  const chain = await makeChain();
  const whole = { cert: chain.leaf + chain.intermediate, key: chain.key, ca: chain.root };
  const server = await openTlsServer({ ...whole, requestCert: true, rejectUnauthorized: true });
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-tls-'));
  closes.push(
    () => server.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const extraCa = join(folder, 'root.pem');
  writeFileSync(extraCa, chain.root);
  const settings = resolveSettings(
    { target: server.url, http: { extraCa }, keys: { primary: 'env:KEY' } },
    { env: { KEY: 'a' } },
  );
  expect(await lookAtTls(settings, Date.now())).toMatchObject([
    { health: 'fail', todo: expect.stringContaining('asks for a client certificate') as string },
  ]);
});

test('without agreement nothing is changed, and that is said', async () => {
  const asked: string[] = [];
  const lines = await statesOf(({ state = '' }) => void asked.push(state), false);
  // The route is for the doctor's own public name, and ends with its sink.
  const changing = asked.filter(
    (state) => !['capabilities', 'callbacks.pending', 'callbacks.route'].includes(state),
  );
  expect(new Set(changing)).toEqual(new Set(['gatecheck.unknown', '']));
  expect(lines).toEqual([
    expect.stringMatching(/^warn effects: not tried, since the target is not local/),
    'ok effects: 1 states do what they say: callbacks.pending',
  ]);
});

test.each<[what: string, chain: Parameters<typeof makeChain>[0], serves: Serves, said: RegExp]>([
  ['a whole chain', {}, () => ({}), /^ok .*TLSv1\.3, a certificate of Test intermediate/],
  ['an expired one', { days: [-9, -1] }, () => ({}), /^fail .*which has expired Renew the certificate\.$/],
  ['one for later', { days: [2, 9] }, () => ({}), /^fail .*not valid yet/],
  [
    'one for another name',
    { host: 'other.example' },
    () => ({}),
    /^fail .*The certificate is for another host name/,
  ],
  [
    'a chain that is not whole',
    {},
    ({ leaf }) => ({ cert: leaf }),
    /^fail .*not trusted \(UNABLE_TO_\w+\) The server sends only its own certificate: let it also send that of Test intermediate/,
  ],
  [
    'TLS 1.1 alone',
    {},
    () => ({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
    /^fail .*TLSv1\.1, .*which Node refuses Offer TLS 1\.2 or 1\.3/,
  ],
])('the handshake of a server with %s is told with what to do', async (_what, options, serves, said) => {
  const chain = await makeChain(options);
  const whole = { cert: chain.leaf + chain.intermediate, key: chain.key };
  const server = await openTlsServer({ ...whole, ...serves(chain) });
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-tls-'));
  closes.push(
    () => server.close(),
    () => rmSync(folder, { recursive: true }),
  );
  const extraCa = join(folder, 'root.pem');
  writeFileSync(extraCa, chain.root);
  const settings = resolveSettings(
    { target: server.url, http: { extraCa }, keys: { primary: 'env:KEY' } },
    { env: { KEY: 'a-key' } },
  );
  const [line] = await lookAtTls(settings, Date.now());
  expect(`${line?.health} ${line?.text} ${line?.todo ?? ''}`).toMatch(said);
});

test('latency is the middle of the reads, jitter the mean step between them', () => {
  expect(paceLine([10, 14, 12, 10, 100]).text).toBe('12 ms for a read, jitter 25 ms (5 reads)');
  expect(paceLine([1200, 1100, 1300]).health).toBe('warn');
});
