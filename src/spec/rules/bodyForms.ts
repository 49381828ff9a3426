import type { bodyOf } from '../../trace/body.ts';
import * as is from '../kernel/value.ts';
import { wrong, type Wrong } from '../kernel/violation.ts';

/** What is wrong with a body that is no JSON object. */
export function noObject(body: ReturnType<typeof bodyOf>): Wrong {
  const got = body.kind === 'none' ? is.text(body.why) : is.value(body.value);
  return wrong('shape', 'body', is.type('JSON object'), got);
}

/** `application/json` itself, with any parameters. */
export function isApplicationJson(contentType: string | null): boolean {
  return contentType !== null && /^\s*application\/json\s*(;|$)/i.test(contentType);
}

/** What is wrong with a content type that is not that of JSON. */
export function wrongType(contentType: string | null): Wrong {
  return wrong('content-type', 'header Content-Type', 'application/json', contentType ?? undefined);
}
