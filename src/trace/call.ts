import type { Exchange, RecordedRequest } from '../core/evidence.ts';
import { onceForLatest, keptTexts } from '../core/latest.ts';
import { operations, type OperationId } from '../core/operations.ts';
import { bodyOf, responseOf, valueNamed, type Json, type JsonObject, isObject, jsonTextOf } from './body.ts';
import { membersOf, partsOf, type SentPart } from './parts.ts';
import { bufferOf, onceForBytes } from '../core/bytes.ts';
import { isTooDeep } from '../core/tooDeep.ts';

/**
 * How a request carries its input; `unread` where its content type and its bytes do not agree, or where it cannot be read in
 * one way only: nobody knows what a deployment makes of it.
 */
export type Carrier = 'json' | 'multipart' | 'query' | 'unread';

/** A request to a documented operation and what came back, read once for all who judge it. */
export interface Call {
  readonly exchange: Exchange;
  readonly op: OperationId;
  readonly carrier: Carrier;
  /** The enterprise of its key; null where it has no active one, or nobody says whose it is. */
  readonly enterprise: string | null;
  readonly keyState: KeyState;
  /** The object that its body is, or that its parts make; an `unread` one may have a JSON object all the same. Null for any other. */
  readonly body: JsonObject | null;
  /** The parameters of its query; what is sent repeatedly is a list. */
  readonly query: JsonObject;
  /** The parts of a multipart body in their order; none of any other. */
  readonly parts: readonly SentPart[];
  /** Those of them that are files. */
  readonly files: readonly SentPart[];
  /** Null where no answer came. */
  readonly status: number | null;
  /** The JSON value of the answer; undefined where none came, or it is anything else. */
  readonly answer: Json | undefined;
  /** Epoch milliseconds; what overlaps is told by the monotonic times of the exchange. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** An exchange as a call of its operation; null for a request to anything that is not documented. */
export const callOf = onceForLatest(read);

function read(exchange: Exchange): Call | null {
  const { operation: op, enterprise, request, timings } = exchange;
  if (op === null) return null;
  const response = responseOf(exchange);
  const { carrier, body, parts } = operations[op].method === 'GET' ? ofQuery : contentOf(op, request);
  const answer = response && bodyOf(response);
  // No spread: this is made for every exchange.
  return {
    exchange,
    op,
    carrier,
    enterprise,
    keyState: keyStateOf(exchange),
    body,
    query: queryMembers(request),
    parts,
    files: parts === noParts ? noParts : parts.filter(({ isFile }) => isFile),
    status: response?.status ?? null,
    answer: answer?.kind === 'json' ? answer.value : undefined,
    sentAt: timings.sentAt,
    receivedAt: timings.receivedAt,
  };
}

type Content = Pick<Call, 'carrier' | 'body' | 'parts'>;

const noParts: readonly SentPart[] = Object.freeze([]);
const ofQuery: Content = { carrier: 'query', body: null, parts: noParts };

function contentOf(op: OperationId, { body, headers }: RecordedRequest): Content {
  const type = valueNamed(headers, 'content-type') ?? '';
  const object = body && objectIn(body);
  const isJson = object !== null && /^application\/json\b/i.test(type);
  if (body === null || object !== null)
    return { carrier: isJson ? 'json' : 'unread', body: object, parts: noParts };
  // Flight Alerts reads JSON only.
  const parts = operations[op].api === 'webcheckin' ? partsOf(body, type) : null;
  return parts
    ? { carrier: 'multipart', body: membersOf(parts), parts }
    : { carrier: 'unread', body: null, parts: noParts };
}

const none: JsonObject = Object.freeze({});

/** The query parameters of a request, decoded; what is sent repeatedly is a list. */
export function queryMembers({ target }: RecordedRequest): JsonObject {
  return membersIn(target);
}

const membersIn = keptTexts((target) => {
  const query = target.slice(target.indexOf('?') + 1);
  return query.length === target.length ? none : (plainMembers(query) ?? decodedMembers(query));
});

/** Names and values of letters, digits, dots and dashes, each name once: nearly every query, which takes little to read. */
function plainMembers(text: string): JsonObject | null {
  if (!/^[\w.-]+=[\w.:~-]*(?:&[\w.-]+=[\w.:~-]*)*$/.test(text)) return null;
  const members: Record<string, string> = {};
  for (const part of text.split('&')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at);
    if (name in members) return null;
    members[name] = part.slice(at + 1);
  }
  return members;
}

function decodedMembers(text: string): JsonObject {
  const query = new URLSearchParams(text);
  const members = [...new Set(query.keys())].map((name) => {
    const [value = '', ...more] = query.getAll(name);
    return [name, more.length === 0 ? value : [value, ...more]] as const;
  });
  return Object.fromEntries(members);
}

/** The JSON object in a request's body; none in one that is nested too deep. */
export const objectIn = onceForBytes(parseObject);

function parseObject(body: Uint8Array): JsonObject | null {
  // A body that is no object, such as multipart, starts with another character: no need to try.
  if (firstOf(body) !== 0x7b || isTooDeep(bufferOf(body))) return null;
  try {
    const value = JSON.parse(jsonTextOf(body) ?? '') as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first byte that is not a blank. */
function firstOf(body: Uint8Array): number | undefined {
  let at = 0;
  while (at < body.length && (body[at] ?? 0) <= 0x20) at += 1;
  return body[at];
}

/**
 * What the sender knows of the key of a request: `unknown` was made up and belongs to nobody, `near` is nearly a key, `elsewhere`
 * was sent in another place than its header, and of an `unsure` one nobody says whether it is active.
 */
export type KeyState =
  'active' | 'none' | 'empty' | 'unknown' | 'near' | 'revoked' | 'disabled' | 'elsewhere' | 'unsure';

/** By the label of the key. Whether letter case matters is open; the rest are keys that may be active. */
const told: Readonly<Record<string, KeyState>> = {
  unknown: 'unknown',
  revoked: 'revoked',
  disabled: 'disabled',
  'letter case changed': 'unsure',
  noEntitlement: 'unsure',
  suspended: 'unsure',
  exhausted: 'unsure',
};

export function keyStateOf({ enterprise, key, request }: Exchange): KeyState {
  if (enterprise !== null) return 'active';
  const value = valueNamed(request.headers, 'x-api-key');
  if (value?.trim() === '') return 'empty';
  if (value !== null) return labelled(key);
  return isBare(request) ? 'none' : 'elsewhere';
}

/** Keys of a run and of a recording are numbered; other labels say what was made up. */
function labelled(key: string | null): KeyState {
  return key === null || key.includes('#') ? 'unsure' : (told[key] ?? 'near');
}

/** Other places where a deployment might look for a key. */
const otherHeaders = ['authorization', 'cookie', 'api-key', 'apikey', 'x-apikey'];

/** No key anywhere: neither in its header nor in another place. */
export function isBare({ headers, target }: Exchange['request']): boolean {
  return (
    ['x-api-key', ...otherHeaders].every((name) => valueNamed(headers, name) === null) &&
    !/key|token/i.test(target)
  );
}
