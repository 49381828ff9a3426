import type { Headers } from '../core/evidence.ts';
import type { Redactor } from '../core/redact.ts';
import type { CredentialVerdict } from './page/news.ts';

/** The header that every delivery to an address must carry: `auth_header`, or Authorization with the `callbackApiKey`. */
export interface Expectation {
  readonly name: 'X-API-Key' | 'Authorization';
  readonly value: string;
}

/** A credential that arrived, known only by its keyed hash. */
export interface SeenCredential {
  readonly name: string;
  readonly print: string;
}

/** The credentials of a delivery, in order. */
export function credentialsOf(headers: Headers, redactor: Redactor): readonly SeenCredential[] {
  return headers
    .filter(([name]) => /^(x-api-key|authorization)$/i.test(name))
    .map(([name, value]) => ({ name, print: redactor.fingerprint(value) }));
}

/** Compares what arrived with what was expected, byte for byte, by hash. */
export function judgeCredential(
  seen: readonly SeenCredential[],
  expected: Expectation | null,
  redactor: Redactor,
): CredentialVerdict {
  if (expected === null) return { status: 'unchecked', text: seen.map(shown).join(', ') };
  const named = seen.filter(({ name }) => name.toLowerCase() === expected.name.toLowerCase());
  const [only] = named;
  if (only === undefined) return { status: 'missing', text: `no ${expected.name} header` };
  if (named.length > 1) return { status: 'mismatch', text: `${named.length} ${expected.name} headers` };
  const isRight = wireForms(expected.value).some((form) => redactor.fingerprint(form) === only.print);
  return isRight
    ? { status: 'match', text: shown(only) }
    : { status: 'mismatch', text: `${shown(only)}${likeness(only.print, expected.value, redactor)}` };
}

/** A value that is not ASCII may be sent in either encoding; Node shows the bytes as Latin-1. */
export function wireForms(value: string): readonly string[] {
  return [value, Buffer.from(value, 'utf8').toString('latin1')];
}

function shown({ name, print }: SeenCredential): string {
  return `${name} ‹${print}›`;
}

const alterations: readonly (readonly [what: string, alter: (value: string) => string])[] = [
  ['with Bearer in front', (value) => `Bearer ${value}`],
  ['without Bearer in front', (value) => value.replace(/^Bearer /, '')],
  ['in lower case', (value) => value.toLowerCase()],
  ['in upper case', (value) => value.toUpperCase()],
  ['with its spaces changed', (value) => value.replace(/\s+/g, ' ')],
  ['without its spaces', (value) => value.replace(/\s+/g, '')],
  ['in quotes', (value) => `"${value}"`],
  ['in Base64', (value) => Buffer.from(value).toString('base64')],
  ['percent-encoded', (value) => encodeURIComponent(value)],
];

/** Says how a wrong value was probably made, if in one of the usual ways. */
function likeness(print: string, value: string, redactor: Redactor): string {
  const found = alterations.find(
    ([, alter]) => alter(value) !== value && redactor.fingerprint(alter(value)) === print,
  );
  return found === undefined ? ', another value' : `, the value ${found[0]}`;
}
