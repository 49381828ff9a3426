import { bufferOf, onceForBytes, utf8TextOf } from '../core/bytes.ts';
import type { Exchange, Headers, Outcome, RecordedResponse } from '../core/evidence.ts';
import { keptFor } from '../core/latest.ts';
import { operationIds, type OperationId } from '../core/operations.ts';
import { deepest, isTooDeep } from '../core/tooDeep.ts';
import { documentedForm, documentedTypes } from './documentedForm.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

export { isObject, type Json, type JsonObject } from './json.ts';

/** What a response body turned out to be. */
type Body = { readonly kind: 'json'; readonly value: Json } | { readonly kind: 'none'; readonly why: string };

/** The response of an exchange, or null if none came. */
export function responseOf(exchange: Exchange): RecordedResponse | null {
  return exchange.outcome.kind === 'response' ? exchange.outcome.response : null;
}

/** By their bytes, which equal answers share. */
const parsed = onceForBytes(parseBody);
const cutOff: Body = { kind: 'none', why: 'a body that is longer than is read' };

/** The JSON value of a response body. */
export function bodyOf({ body, truncated }: Pick<RecordedResponse, 'body' | 'truncated'>): Body {
  return truncated ? cutOff : parsed(body);
}

/** The JSON object of a response as it came, or null if it is anything else: for the rules about the form of an answer. */
export function bareObjectOf(exchange: Exchange): JsonObject | null {
  const response = responseOf(exchange);
  const body = response && bodyOf(response);
  return body?.kind === 'json' && isObject(body.value) ? body.value : null;
}

/** The JSON object that a response shows, read in the documented form, or null if it is anything else. */
export function objectOf(exchange: Exchange): JsonObject | null {
  const value = readBody(exchange);
  return isObject(value) ? value : null;
}

/** Computes something from an answer with 200, and remembers it for equal ones. */
export function onceForAnswers<V>(
  compute: (operation: OperationId, body: Uint8Array) => V,
): (operation: OperationId, body: Uint8Array) => V {
  const kept = keptFor(
    (operation: OperationId) => onceForBytes((body) => compute(operation, body)),
    operationIds.length,
  );
  return (operation, body) => kept(operation)(body);
}

interface ReadBody {
  /** In the documented form, with the types in which its members came: for the rules about types. */
  readonly untyped: Json | undefined;
  /** With the documented types as well. */
  readonly typed: Json | undefined;
}

const nothing: ReadBody = { untyped: undefined, typed: undefined };

/** The body of an answer with 200. */
export const readAnswer = onceForAnswers((operation, bytes): ReadBody => {
  const body = parsed(bytes);
  if (body.kind === 'none') return nothing;
  const untyped = documentedForm(operation, body.value);
  return { untyped, typed: documentedTypes(operation, untyped) };
});

function readBody(exchange: Exchange): Json | undefined {
  if (isDocumented(exchange)) return readAnswer(exchange.operation, exchange.outcome.response.body).typed;
  const response = responseOf(exchange);
  const body = response && bodyOf(response);
  return body?.kind === 'json' ? body.value : undefined;
}

/** An exchange whose answer has a documented form. */
export interface Accepted extends Exchange {
  readonly operation: OperationId;
  readonly outcome: Extract<Outcome, { readonly kind: 'response' }>;
}

export function isDocumented(exchange: Exchange): exchange is Accepted {
  const { operation, outcome } = exchange;
  return (
    operation !== null &&
    outcome.kind === 'response' &&
    outcome.response.status === 200 &&
    !outcome.response.truncated
  );
}

/** The value at a path of members and indexes of the documented form, or undefined. */
export function memberOf(exchange: Exchange, ...path: readonly (string | number)[]): Json | undefined {
  let value = readBody(exchange);
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = (value as readonly Json[])[step];
    else if (isObject(value) && typeof step === 'string') value = value[step];
    else return undefined;
  }
  return value;
}

/** The first value of a response header, by its name in any case. */
export function headerOf(response: RecordedResponse, name: string): string | null {
  return valueNamed(response.headers, name);
}

/** The first value of a header field, by its name in lower case. Destructuring the pairs would take V8 far longer to compile. */
export function valueNamed(headers: Headers, name: string): string | null {
  for (const header of headers)
    if (header[0].length === name.length && header[0].toLowerCase() === name) return header[1];
  return null;
}

let latestDate = { text: '', at: Number.NaN };

/** The instant in the `Date` header of a response, in epoch milliseconds; null where there is none that can be read. */
export function dateOf(response: RecordedResponse): number | null {
  const text = headerOf(response, 'date') ?? '';
  // It stays the same for a second, and parsing it takes longer than many judgements.
  if (text !== latestDate.text) latestDate = { text, at: Date.parse(text) };
  return Number.isNaN(latestDate.at) ? null : latestDate.at;
}

/** The text of bytes as a reader of JSON takes it, without a byte order mark; null for bytes that are not UTF-8. */
export function jsonTextOf(bytes: Uint8Array): string | null {
  const text = utf8TextOf(bytes);
  return text?.startsWith('\ufeff') ? text.slice(1) : text;
}

function parseBody(body: Uint8Array): Body {
  if (body.length === 0) return { kind: 'none', why: 'an empty body' };
  if (isTooDeep(bufferOf(body))) return { kind: 'none', why: `JSON nested deeper than ${deepest} levels` };
  const text = jsonTextOf(body);
  if (text === null) return { kind: 'none', why: 'bytes that are not UTF-8' };
  try {
    return { kind: 'json', value: JSON.parse(text) as Json };
  } catch {
    return { kind: 'none', why: pageOf(text) ?? `no JSON: ${excerpt(body)}` };
  }
}

/** A page rarely comes from the application itself: without this hint, people would search there in vain. */
function pageOf(text: string): string | null {
  const head = text.slice(0, 1_000);
  if (!/^\s*<(?:!doctype\s+html|html)\b/i.test(head)) return null;
  const title = /<title>([^<]{1,80})</i.exec(head)?.[1]?.trim() ?? '';
  const named = title === '' ? '' : ` ${JSON.stringify(title)}`;
  return `an HTML page${named}, which a gateway or proxy in front of the API may have sent`;
}

function excerpt(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, 80)).toString('utf8');
  return JSON.stringify(body.length > 80 ? `${text}…` : text);
}
