import type { Answer } from './call.ts';

/** A body that is sent as it stands, not as JSON. */
interface RawBody {
  readonly raw: string;
  readonly mediaType: string;
}

/** The response of an answer, with the time of the Date header; null for an answer without one. */
export function respond(answer: Answer, date: number | null): Response {
  const raw = isRaw(answer.body) ? answer.body : null;
  return new Response(raw ? raw.raw : JSON.stringify(answer.body), {
    status: answer.status,
    headers: {
      'content-type': raw?.mediaType ?? 'application/json; charset=utf-8',
      ...(date === null ? {} : { date: dateHeader(date) }),
      ...answer.headers,
    },
  });
}

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'object' && body !== null && 'raw' in body && 'mediaType' in body;
}

let shownSecond = NaN;
let shownDate = '';

function dateHeader(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== shownSecond) {
    shownSecond = second;
    shownDate = new Date(now).toUTCString();
  }
  return shownDate;
}
