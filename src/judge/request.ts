import type { RecordedRequest } from '../core/evidence.ts';
import { isObject, strictText, type Json, type JsonObject } from './body.ts';

const queries = new WeakMap<RecordedRequest, URLSearchParams>();

/** The query parameters of a request, decoded; parsed once per request. */
export function queryOf(request: RecordedRequest): URLSearchParams {
  let query = queries.get(request);
  if (!query) queries.set(request, (query = parseQuery(request.target)));
  return query;
}

function parseQuery(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

/** The first value of a request header, by its name in lower case. */
export function requestHeader(request: RecordedRequest, name: string): string | null {
  return request.headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? null;
}

const cache = new WeakMap<RecordedRequest, JsonObject | null>();

/** The JSON object that a request carried, or null where it carried anything else; parsed once per request. */
export function requestObject(request: RecordedRequest): JsonObject | null {
  let object = cache.get(request);
  if (object === undefined) cache.set(request, (object = parseObject(request.body)));
  return object;
}

function parseObject(body: Uint8Array | null): JsonObject | null {
  // A body that is no object, such as multipart, starts with another character: no need to try.
  if (body?.find((byte) => byte > 0x20) !== 0x7b) return null;
  try {
    const value = JSON.parse(strictText.decode(body)) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
