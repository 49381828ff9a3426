import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { usageError } from '../core/errors.ts';
import { issue } from './issue.ts';

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
