import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { annotate } from './annotations.ts';
import { path } from './forms.ts';
import type { ValuePlace } from './row.ts';

/** A PEM file of certificates, read immediately. */
export function pemFile(place: ValuePlace): z.ZodType<string, string> {
  return pem(place, 'certificates', faultOfCertificates);
}

/** A PEM file of a private key, read immediately; never shown. */
export function pemKeyFile(place: ValuePlace): z.ZodType<string, string> {
  return pem(place, 'a private key', faultOfKey);
}

function pem(
  place: ValuePlace,
  what: string,
  faultOf: (text: string) => string | null,
): z.ZodType<string, string> {
  const form = path(place).transform((file, { issues }) => {
    const text = readText(file);
    const got = text === undefined ? 'no readable file' : faultOf(text);
    if (text !== undefined && got === null) return text;
    issues.push({
      code: 'custom',
      message: `expected ${what} in PEM form in ${file}; got ${got ?? ''}`,
      input: undefined,
    });
    return '';
  });
  return annotate(form, { isPath: true });
}

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
const key = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

/** OpenSSL ignores what it cannot read, and the server would be blamed. */
function faultOfCertificates(text: string): string | null {
  const found = text.match(certificate) ?? [];
  if (found.length === 0) {
    if (key.test(text)) return 'a private key';
    return text.includes('BEGIN CERTIFICATE') ? 'one that is cut off' : 'none';
  }
  return found.every(isCertificate) ? null : 'one that cannot be read';
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).fingerprint !== '';
  } catch {
    return false;
  }
}

function faultOfKey(text: string): string | null {
  if (!key.test(text)) return text.includes('BEGIN CERTIFICATE') ? 'a certificate' : 'none';
  try {
    createPrivateKey(text);
    return null;
  } catch (error) {
    const isLocked = /BEGIN ENCRYPTED|,ENCRYPTED/.test(text);
    if (isLocked) return 'one with a passphrase; take it off: openssl pkey -in FILE -out PLAIN';
    return `one that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'of an unknown form'})`;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
