import { bodyTypes, contentType } from '../grammar/headers.ts';
import type { bodyOf } from '../../trace/body.ts';
import * as is from '../kernel/value.ts';
import { wrong, type Wrong } from '../kernel/findings.ts';

/** What is wrong with a body that is no JSON object. */
export function noObject(body: ReturnType<typeof bodyOf>): Wrong {
  const got = body.kind === 'none' ? is.text(body.why) : is.value(body.value);
  return wrong('shape', 'body', is.type('JSON object'), got);
}

/** What is wrong with a content type that is not that of JSON. */
export function wrongType(type: string | null): Wrong {
  return wrong('content-type', `header ${contentType}`, bodyTypes.json, type ?? undefined);
}
