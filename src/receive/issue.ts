import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, der, integer, octets, oid, pem, sequence, tagged, text, time, yes } from './der.ts';

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

const signatureKind = sequence(oid(kinds.ecdsaSha256));

/** Makes a key and a certificate for it: of an authority, or of a server with these hosts (RFC 5280, ECDSA with P-256). */
export function issue({ name, hosts, issuer, from, until }: Wanted): Issued {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha1').update(publicKey).digest();
  const signer = issuer ?? { name, privateKey: pair.privateKey, keyId };
  const body = sequence(
    tagged(0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ...[signatureKind, nameOf(signer.name), sequence(time(from), time(until)), nameOf(name), publicKey],
    tagged(3, sequence(...extensions(hosts ?? null, keyId, signer.keyId))),
  );
  const cert = sequence(body, signatureKind, bits(sign('sha256', body, signer.privateKey)));
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
