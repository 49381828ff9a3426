import type { Headers } from '../../core/evidence.ts';
import { valueNamed } from '../../trace/body.ts';

/** Header fields that the documents name. Their names may be written in any case. */
export const keyHeader = 'X-API-Key';
export const authorization = 'Authorization';
export const contentType = 'Content-Type';

/** Other cases of the header of the key. */
export const keySpellings = ['x-api-key', 'X-API-KEY'].map((name) => ({ rule: 'SHR-AUT-012', name }));

/** The headers in which a webhook of web check-in may carry its credential, as the partner chose it. */
export const authHeaders = [keyHeader, authorization] as const;

/** How the name of such a header may be written, each with its sentence. */
export const authNames: readonly { readonly rule: string; readonly name: string }[] = [
  { rule: 'WCI-CBR-005', name: keyHeader },
  { rule: 'WCI-CBR-006', name: authorization },
  { rule: 'WCI-CBR-007', name: 'x-api-key' },
  { rule: 'WCI-CBR-007', name: 'AUTHORIZATION' },
];

/** How the body of a request is written; of a multipart body, lists and objects are parts with JSON text. */
export const bodyTypes = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  part: 'text/plain',
} as const;

/** Ways to write the media type of JSON: its letters have no case, and blanks and quotes of a parameter mean nothing. */
export const jsonTypes = [
  'Application/JSON',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; charset=utf-8',
] as const;

/** What an answer of a lookup says about its storage. */
export const lookupCaching = { name: 'Cache-Control', value: 'no-store' } as const;

/** Header fields of an answer that the documents speak of, in lower case. */
export const answerFields = ['content-type', 'cache-control'] as const;

/** The API key of a request; null if it has none. */
export function apiKeyIn({ headers }: { readonly headers: Headers }): string | null {
  return valueNamed(headers, 'x-api-key');
}

/** All values of a header. */
export function valuesNamed(headers: Headers, wanted: string): readonly string[] {
  const lower = wanted.toLowerCase();
  const values: string[] = [];
  for (const header of headers)
    if (header[0].length === lower.length && header[0].toLowerCase() === lower) values.push(header[1]);
  return values;
}

/** JSON itself, with any parameters. */
export function isJsonType(type: string | null): boolean {
  return type !== null && /^\s*application\/json\s*(;|$)/i.test(type);
}

/** A body of parts, with any parameters. */
export function isMultipartType(type: string | null): boolean {
  return type !== null && /^\s*multipart\/form-data\b/i.test(type);
}
