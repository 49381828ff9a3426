import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { generate } from 'selfsigned';
import { usageError } from '../core/errors.ts';

/** What a TLS server shows, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  /** Who trusts this, trusts the certificate; null where that is for others to know. */
  readonly ca: string | null;
}

/** Servers that are to trust it may have clocks that are off. */
const daysBefore = 2;
const daysAfter = 365;

/** A fresh certificate for these host names and addresses, by an authority whose key is forgotten at once. */
export async function makeCertificate(hosts: readonly string[]): Promise<Certificate> {
  const kind = {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: inDays(-daysBefore),
    notAfterDate: inDays(daysAfter),
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'Gatecheck callback sink authority' }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'Gatecheck callback sink' }], {
    ...kind,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map(altName) },
    ],
  });
  return { cert: server.cert, key: server.private, ca: authority.cert };
}

/** The user's own certificate, as the options name it; both files are checked before anything listens. */
export async function loadCertificate(certFile: string, keyFile: string): Promise<Certificate> {
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

function altName(host: string) {
  return isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host };
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
