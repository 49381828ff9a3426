import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { oid, time } from './certificate.ts';
import { issue } from './certificate.ts';

const day = 86_400_000;
const valid = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) };
const hosts = ['localhost', 'sink.example.com', '127.0.0.1', '::1', '2001:db8::7:0:9', '::ffff:10.0.0.1'];
const authority = issue({ ...valid, name: 'authority' });
const server = issue({ ...valid, name: 'server', hosts, issuer: authority });
const [ca, leaf] = [new X509Certificate(authority.cert), new X509Certificate(server.cert)];

test('an authority signs itself and others, a server is none', () => {
  expect([ca.ca, leaf.ca]).toEqual([true, false]);
  expect([ca.verify(ca.publicKey), leaf.verify(ca.publicKey), leaf.verify(leaf.publicKey)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect([leaf.subject, leaf.issuer]).toEqual(['CN=server', 'CN=authority']);
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
});

test('it is for its hosts and addresses alone, and for its time', () => {
  expect(leaf.checkHost('sink.example.com')).toBe('sink.example.com');
  expect(leaf.checkHost('example.com')).toBeUndefined();
  for (const address of ['127.0.0.1', '::1', '2001:db8::7:0:9']) expect(leaf.checkIP(address)).toBe(address);
  expect(leaf.checkIP('127.0.0.2')).toBeUndefined();
  expect(leaf.subjectAltName).toContain('0:0:0:0:0:FFFF:A00:1');
  expect(leaf.validToDate.getTime()).toBe(Math.floor(valid.until.getTime() / 1000) * 1000);
});

test('serial numbers differ, which some clients insist on', () => {
  const serials = Array.from({ length: 20 }, () => new X509Certificate(issue({ ...valid, name: 'a' }).cert));
  expect(new Set(serials.map(({ serialNumber }) => serialNumber)).size).toBe(20);
});

test('a client that trusts the authority connects, another does not', async () => {
  const listening = createServer({ cert: server.cert, key: server.key }, (socket) => socket.end()).listen(0);
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const reached = async (options: object) => {
    const socket = connect({ port, host: 'localhost', servername: 'sink.example.com', ...options });
    const end = await Promise.race([
      once(socket, 'secureConnect').then(() => 'connected'),
      once(socket, 'error').then(([error]) => String((error as { code?: string }).code)),
    ]).catch((error: unknown) => String((error as { code?: string }).code));
    socket.destroy();
    return end;
  };
  expect(await reached({ ca: authority.cert })).toBe('connected');
  expect(await reached({})).toMatch(/UNABLE_TO_VERIFY|SELF_SIGNED/);
  expect(await reached({ ca: authority.cert, servername: 'other.example.com' })).toMatch(/ALTNAME/);
  await new Promise((resolve) => listening.close(resolve));
});

const openssl = spawnSync('openssl', ['version']).status === 0;

test.skipIf(!openssl)('OpenSSL finds nothing wrong with either, also where it is strict', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-issue-'));
  try {
    const [caFile, file] = [join(folder, 'ca.pem'), join(folder, 'server.pem')];
    writeFileSync(caFile, authority.cert);
    writeFileSync(file, server.cert);
    const asked = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caFile, file];
    expect(execFileSync('openssl', asked, { encoding: 'utf8' })).toBe(`${file}: OK\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('numbers of kinds, and years of two digits and of four', () => {
  expect(oid('1.2.840.10045.4.3.2').toString('hex')).toBe('06082a8648ce3d040302');
  expect(time(new Date('2049-12-31T23:59:59Z')).toString('latin1')).toContain('491231235959Z');
  expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toContain('20500101000000Z');
});
