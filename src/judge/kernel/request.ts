import type { RecordedRequest } from '../../core/evidence.ts';
import { isObject, strictText, type Json, type JsonObject } from './body.ts';
import { onceForLatest } from './latest.ts';

/** The query parameters of a request, decoded. */
export const queryOf = onceForLatest(parseQuery);

function parseQuery({ target }: RecordedRequest): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}

/** The first value of a request header, by its name in lower case. */
export function requestHeader(request: RecordedRequest, name: string): string | null {
  return request.headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1] ?? null;
}

/** The JSON object that a request carried, or null where it carried anything else. */
export const requestObject = onceForLatest(parseObject);

function parseObject({ body }: RecordedRequest): JsonObject | null {
  // A body that is no object, such as multipart, starts with another character: no need to try.
  if (body?.find((byte) => byte > 0x20) !== 0x7b) return null;
  try {
    const value = JSON.parse(strictText.decode(body)) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
