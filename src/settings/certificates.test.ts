import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCertificate } from '../receive/certificate.ts';
import { resolveSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-client-pem-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [own, other] = [makeCertificate(['a.example']), makeCertificate(['b.example'])];
const pair = (cipher: object) =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', ...cipher },
  }).privateKey;
const block = (what: string, text: string) => `-----BEGIN ${what}-----\n${text}\n-----END ${what}-----\n`;
const files: Readonly<Record<string, string>> = {
  'own.pem': own.cert,
  'own.key': own.key,
  'other.key': other.key,
  'locked.key': pair({ cipher: 'aes-128-cbc', passphrase: 'x' }),
  'garbage.pem': block('CERTIFICATE', 'AAAA'),
  'garbage.key': block('PRIVATE KEY', 'AAAA'),
  'cut.pem': own.cert.slice(0, 300),
  'half.pem': own.cert + block('CERTIFICATE', 'AAAA'),
  'empty.pem': '',
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
mkdirSync(join(folder, 'folder'));

const settle = (clientCert: string, clientKey: string) =>
  resolveSettings(
    {
      ...{ target: 'https://qa.example.com', keys: { primary: 'env:KEY' } },
      http: { clientCert: join(folder, clientCert), clientKey: join(folder, clientKey) },
    },
    { env: { KEY: 'a' } },
  );

test('a client certificate and its key are read', () => {
  expect(settle('own.pem', 'own.key').http).toMatchObject({ clientCert: own.cert, clientKey: own.key });
});

test.each([
  ['own.pem', 'other.key', /http\.clientKey: expected the private key of http\.clientCert; got the key of/],
  ['own.pem', 'locked.key', /clientKey: .* got one with a passphrase; take it off: openssl pkey/],
  ['own.pem', 'garbage.key', /clientKey: .* got one that cannot be read \(ERR_/],
  ['own.pem', 'own.pem', /clientKey: .* got a certificate/],
  ['own.pem', 'empty.pem', /clientKey: .* got none/],
  ['own.pem', 'nowhere', /clientKey: .* got no readable file/],
  ['garbage.pem', 'own.key', /clientCert: .* got one that cannot be read/],
  ['half.pem', 'own.key', /clientCert: .* got one that cannot be read/],
  ['cut.pem', 'own.key', /clientCert: .* got one that is cut off/],
  ['own.key', 'own.key', /clientCert: .* got a private key/],
  ['folder', 'own.key', /clientCert: .* got no readable file/],
])('%s with %s is refused before anything is sent, and no key is shown', (cert, key, message) => {
  const attempt = () => settle(cert, key);
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
  expect(attempt).not.toThrow(own.key.slice(40, 80));
});
