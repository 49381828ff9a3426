import { accept, type Parsed, quote, refuseSecret } from '../values/parsed.ts';
import { isHeaderName, isHeaderValue } from '../values/header.ts';
import type { Resolving } from './resolving.ts';
import { looksLikeKey, parseSecretReference } from './secretReference.ts';

/** Headers that requests set themselves, or that a check varies. */
const owned = [
  'x-api-key',
  'host',
  'content-type',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept',
];

/** Extra headers of every request; the value of one that may be a secret comes from the environment. */
export function resolveHeaders(headers: Readonly<Record<string, string>>, resolving: Resolving) {
  const fields = Object.entries(headers).flatMap(([name, text]) => {
    const value = resolveHeader(name, text, resolving);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

function resolveHeader(name: string, text: string, { reader, at, secret }: Resolving): string | undefined {
  const field = `http.headers.${name}`;
  if (!isHeaderName(name)) {
    reader.refuse(at('http.headers'), `expected a header name; got ${quote(name)}`);
    return undefined;
  }
  if (owned.includes(name.toLowerCase())) {
    reader.refuse(at(field), 'expected a header that Gatecheck does not set itself; keys stand under keys');
    return undefined;
  }
  if (text.startsWith('env:')) {
    const variable = reader.read(at(field), text, parseSecretReference);
    return secret(field, variable, parseHeaderValue);
  }
  if (isSecretName(name) || looksLikeKey(text)) {
    reader.refuse(
      at(field),
      'expected the name of an environment variable, such as env:GATECHECK_QA_HEADER, since the value may be a secret; got other text (not shown)',
    );
    return undefined;
  }
  return reader.read(at(field), text, parseHeaderValue);
}

function isSecretName(name: string): boolean {
  return /auth|key|token|secret|cookie|password|credential/i.test(name);
}

function parseHeaderValue(text: string): Parsed<string> {
  return isHeaderValue(text)
    ? accept(text)
    : refuseSecret('a header value of printable ASCII', 'another character (not shown)');
}
