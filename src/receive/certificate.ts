import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { usageError } from '../core/errors.ts';

/** The certificate and key of a TLS server, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Whoever trusts this authority trusts the certificate; null for the user's own certificate. */
  readonly ca: string | null;
}

/** The clocks of servers that trust it may be wrong by this much. */
const daysBefore = 2;
const daysAfter = 365;

/** A new certificate for these host names and addresses, by an authority whose key is discarded at once. */
export function makeCertificate(hosts: readonly string[]): Certificate {
  const valid = { from: inDays(-daysBefore), until: inDays(daysAfter) };
  const authority = issue({ ...valid, name: 'Gatecheck callback sink authority' });
  const server = issue({ ...valid, name: 'Gatecheck callback sink', hosts, issuer: authority });
  return { cert: server.cert, key: server.key, ca: authority.cert };
}

/** The user's own certificate, as given by the options; both files are checked before anything listens. */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([read(certFile, '--sink-cert'), read(keyFile, '--sink-key')]);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw usageError(
      'SINK_CERTIFICATE',
      `expected a certificate and its private key, both PEM, in ${certFile} and ${keyFile}; got: ${said}`,
      'Give the two files that belong together with --sink-cert and --sink-key.',
    );
  }
  return { cert, key, ca: null };
}

async function read(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw usageError('SINK_CERTIFICATE', `${option}: expected a readable file; got ${file}`);
  }
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

/** The content of a certificate. */
interface Wanted {
  readonly name: string;
  /** Host names and addresses of a server; an authority has none. */
  readonly hosts?: readonly string[];
  /** Who signs it; by default itself. */
  readonly issuer?: Issued;
  readonly from: Date;
  readonly until: Date;
}

/** An X.509 certificate with its key; both PEM. */
interface Issued {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
  /** The identifier by which others refer to its key. */
  readonly keyId: Buffer;
}

const kinds = {
  ecdsaSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  keyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  hosts: '2.5.29.17',
  isAuthority: '2.5.29.19',
  issuerKeyId: '2.5.29.35',
  uses: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
} as const;

const signatureKind = () => sequence(oid(kinds.ecdsaSha256));

/** Makes a key and a certificate for it: of an authority, or of a server with these hosts (RFC 5280, ECDSA with P-256). */
export function issue({ name, hosts, issuer, from, until }: Wanted): Issued {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha1').update(publicKey).digest();
  const signer = issuer ?? { name, privateKey: pair.privateKey, keyId };
  const body = sequence(
    tagged(0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ...[signatureKind(), nameOf(signer.name), sequence(time(from), time(until)), nameOf(name), publicKey],
    tagged(3, sequence(...extensions(hosts ?? null, keyId, signer.keyId))),
  );
  const cert = sequence(body, signatureKind(), bits(sign('sha256', body, signer.privateKey)));
  const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: pem('CERTIFICATE', cert), key, name, privateKey: pair.privateKey, keyId };
}

const nameOf = (name: string) => sequence(der(0x31, sequence(oid(kinds.commonName), text(name))));

function extensions(hosts: readonly string[] | null, keyId: Buffer, issuerKeyId: Buffer): readonly Buffer[] {
  const isAuthority = hosts === null;
  return [
    sequence(oid(kinds.isAuthority), yes, octets(isAuthority ? sequence(yes) : sequence())),
    // An authority signs certificates and lists (bits 5 and 6), a server its handshakes (bit 0).
    sequence(
      oid(kinds.keyUsage),
      yes,
      octets(isAuthority ? bits(Buffer.of(0x06), 1) : bits(Buffer.of(0x80), 7)),
    ),
    sequence(oid(kinds.keyId), octets(octets(keyId))),
    sequence(oid(kinds.issuerKeyId), octets(sequence(der(0x80, issuerKeyId)))),
    ...(hosts === null
      ? []
      : [
          sequence(oid(kinds.uses), octets(sequence(oid(kinds.server)))),
          sequence(oid(kinds.hosts), octets(sequence(...hosts.map(hostOf)))),
        ]),
  ];
}

function hostOf(host: string): Buffer {
  return isIP(host) === 0 ? der(0x82, Buffer.from(host, 'latin1')) : der(0x87, addressOf(host));
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from(host.split('.').map(Number));
  // A URL normalizes each IPv6 address.
  const [plain = ''] = host.split('%');
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** A value in DER, the encoding of certificates: its tag, its length, its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bytesOf(length);
  return [0x80 | bytes.length, ...bytes];
}

function bytesOf(number: number): readonly number[] {
  return number < 0x100 ? [number] : [...bytesOf(Math.floor(number / 0x100)), number % 0x100];
}

/** Members in their order. */
const sequence = (...members: readonly Uint8Array[]) => der(0x30, ...members);

/** A member with a number instead of its type, as in the certificate schema. */
const tagged = (number: number, ...members: readonly Uint8Array[]) => der(0xa0 | number, ...members);

/** A whole number that is not negative, from its bytes. */
function integer(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return der(0x02, first >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
}

const yes = der(0x01, Buffer.of(0xff));
const text = (value: string) => der(0x0c, Buffer.from(value));
const octets = (...parts: readonly Uint8Array[]) => der(0x04, ...parts);

/** Bits; the last `unused` bits of the last byte do not count. */
const bits = (bytes: Uint8Array, unused = 0) => der(0x03, Buffer.of(unused), bytes);

/** An object identifier, such as `2.5.4.3` for a common name. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([40 * first + second, ...rest.flatMap(sevenBits)]));
}

function sevenBits(number: number): readonly number[] {
  const high: number[] = [];
  for (let left = number >> 7; left > 0; left >>= 7) high.unshift(0x80 | (left & 0x7f));
  return [...high, number & 0x7f];
}

/** An instant; years from 2050 on are written with four digits. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`;
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

/** Bytes as PEM text, as in `-----BEGIN CERTIFICATE-----`. */
function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
