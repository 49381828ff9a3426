import type { Redactor } from '../core/redact.ts';

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
]);

/** Whether a header field authorizes, so that its value is a secret even where it is not known. */
export function isCredential(name: string): boolean {
  return credentials.has(name.toLowerCase());
}

/**
 * The value of a header of a callback as it may be shown. A credential that is not known may be an altered one: it is told
 * from others by a keyed hash, and not shown.
 */
export function shownHeader(name: string, value: string, redactor: Redactor): string {
  const clean = redactor.labelOf(value) ?? redactor.redact(value);
  if (!isCredential(name) || value === '' || clean !== value) return clean;
  return `‹unknown credential ${redactor.fingerprint(value)}›`;
}
