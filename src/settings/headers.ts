import { z } from 'zod';
import { quote } from './quote.ts';
import type { ValuePlace } from './row.ts';
import { fromVariable, headerValue, isHeaderName, plainOrVariable } from './secretForms.ts';

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

/** Extra headers of every request; a value that may be a secret comes from the environment. */
export function extraHeaders(place: ValuePlace): z.ZodType<Record<string, string>, Record<string, string>> {
  const plain = plainOrVariable(headerValue, headerValue, place);
  const hidden = fromVariable(headerValue, place);
  return z.record(z.string(), z.string()).transform((headers, { issues }) =>
    Object.fromEntries(
      Object.entries(headers).flatMap(([name, text]) => {
        const fault = faultOfName(name);
        const read = isSecretName(name) ? hidden.safeParse(text) : plain.safeParse(text);
        if (fault === null && read.success)
          return [[name, typeof read.data === 'string' ? read.data : read.data.value]];
        const message = fault ?? read.error?.issues[0]?.message ?? '';
        issues.push({ code: 'custom', message, path: isHeaderName(name) ? [name] : [], input: undefined });
        return [];
      }),
    ),
  );
}

function faultOfName(name: string): string | null {
  if (!isHeaderName(name)) return `expected a header name; got ${quote(name)}`;
  return owned.includes(name.toLowerCase())
    ? 'expected a header that Gatecheck does not set itself; keys belong under keys'
    : null;
}

function isSecretName(name: string): boolean {
  return /auth|key|token|secret|cookie|password|credential/i.test(name);
}
