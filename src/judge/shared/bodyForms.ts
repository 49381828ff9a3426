import type { bodyOf } from '../kernel/body.ts';
import * as is from '../../spec/kernel/value.ts';

/** What is wrong with a body that is no JSON object. */
export function noObject(body: ReturnType<typeof bodyOf>) {
  const got = body.kind === 'none' ? is.text(body.why) : is.value(body.value);
  return { at: 'body', want: is.type('JSON object'), got };
}

/** What is wrong with a content type that is not that of JSON. */
export function wrongType(contentType: string | null) {
  const got = is.value(contentType ?? undefined);
  return { at: 'header Content-Type', want: is.value('application/json'), got };
}
