import type { RecordedRequest } from '../core/evidence.ts';
import { isObject, jsonTextOf, valueNamed, type Json, type JsonObject } from './body.ts';
import { inFlight, onceForLatest } from '../core/latest.ts';

/** The query parameters of a request, decoded. */
export const queryOf = onceForLatest(parseQuery);

function parseQuery({ target }: RecordedRequest): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

/** The same as members; what is sent repeatedly is a list. */
export function queryMembers(request: RecordedRequest): JsonObject {
  if (!request.target.includes('?')) return none;
  const query = queryOf(request);
  const members = [...new Set(query.keys())].map((name) => {
    const [value = '', ...more] = query.getAll(name);
    return [name, more.length === 0 ? value : [value, ...more]] as const;
  });
  return Object.fromEntries(members);
}

const none: JsonObject = Object.freeze({});

/** The first value of a request header, by its name in lower case. */
export function requestHeader(request: RecordedRequest, name: string): string | null {
  return valueNamed(request.headers, name);
}

/** The JSON object that a request carried, or null where it carried anything else. */
export function requestObject({ body }: Pick<RecordedRequest, 'body'>): JsonObject | null {
  return body === null ? null : objectIn(body);
}

/** The JSON object in a request's body: needed before it is sent and after its answer, with others sent in between. */
export const objectIn = onceForLatest(parseObject, 2 * inFlight);

function parseObject(body: Uint8Array): JsonObject | null {
  // A body that is no object, such as multipart, starts with another character: no need to try.
  if (firstOf(body) !== 0x7b) return null;
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
