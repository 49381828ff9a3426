import type { Redactor } from '../core/redact.ts';

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'cookie',
]);

/** Whether a header field authorizes, so that its value is a secret even if it is unknown. */
export function isCredential(name: string): boolean {
  return credentials.has(name.toLowerCase());
}

/** The value of a callback's header as it may be shown. An unknown credential may be an altered known one: it is shown as a keyed hash. */
export function shownHeader(name: string, value: string, redactor: Redactor): string {
  const clean = redactor.labelOf(value) ?? redactor.redact(value);
  if (!isCredential(name) || value === '' || clean !== value) return clean;
  return redactor.unknown(value);
}
