import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { makeChain, openTlsServer } from '../../../test/support/hostileTls.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { judgeClientCertificate, judgeHandshake, lookAtTls } from './tls.ts';

type Serves = (chain: Awaited<ReturnType<typeof makeChain>>) => TlsOptions;

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

/** What the doctor says about the handshake of a server with this chain, whose root the user trusts. */
async function linesFor(options: Parameters<typeof makeChain>[0], serves: Serves) {
  const chain = await makeChain(options);
  const whole = { cert: chain.leaf + chain.intermediate, key: chain.key, ca: chain.root };
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
  return lookAtTls(settings, Date.now());
}

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
  expect(await linesFor({}, () => ({ requestCert: true, rejectUnauthorized: true }))).toMatchObject([
    { health: 'fail', todo: expect.stringContaining('asks for a client certificate') as string },
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
  const [line] = await linesFor(options, serves);
  expect(`${line?.health} ${line?.text} ${line?.todo ?? ''}`).toMatch(said);
});
