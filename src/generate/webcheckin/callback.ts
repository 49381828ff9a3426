import * as fc from 'fast-check';
import { authNames } from '../../spec/grammar/headers.ts';
import { callbackData } from '../../spec/grammar/callbackData.ts';
import type { JsonObject } from '../../spec/kit/json.ts';
import { oneOf } from '../kit/text.ts';

const headerNames = [...authNames.map(({ name }) => name), 'X-Api-Key', 'authorization'];

/** The plainest callbackData that every deployment takes. */
export const plainCallback = callbackData.plain as JsonObject;

/** Valid callbackData of a web check-in subscribe: any spelling of the header name, any colon-free value that holds `token`. */
export function checkinCallback(callbackUrl: string, token: string): fc.Arbitrary<JsonObject> {
  const value = fc.constantFrom(
    token,
    `Bearer ${token}`,
    `Basic ${token}==`,
    `${token}/+-_.~!#$%&'*`,
    `a=${token}; b="c"`,
  );
  return fc.tuple(fc.constantFrom(...headerNames), value).map(([name, text]) => ({
    ...plainCallback,
    callbackUrl,
    auth_header: `${name}: ${text}`,
  }));
}

/** Valid callbackData of a flight subscription. */
export function flightCallback(callbackUrl: string, token: string): fc.Arbitrary<JsonObject> {
  return fid(token).map((id) => ({ fid: id, callbackUrl }));
}

/** External flight ids that hold `token`: leading zeros, visible ASCII of all kinds, up to the full 255 characters. */
export function fid(token: string): fc.Arbitrary<string> {
  const room = 255 - token.length;
  const visible = oneOf('0aZ.:/-_+#"\\%~{}<>&=');
  const zeros = fc.string({ unit: fc.constant('0'), maxLength: Math.min(3, room) });
  const tail = fc.oneof(
    fc.string({ unit: visible, maxLength: Math.min(20, room - 3) }),
    fc.constant('f'.repeat(Math.max(0, room))),
  );
  return fc.tuple(zeros, tail).map(([before, after]) => `${before}${token}${after}`.slice(0, 255));
}

/** A callback address below a public one: with path and query, which belong to it. */
export function callbackUrlBelow(publicUrl: string): fc.Arbitrary<string> {
  const path = fc.constantFrom('', '/cb', '/cb/a-b_c.d~e', '/cb/%C3%A9', '/cb/', '/@cb');
  const query = fc.constantFrom(
    '',
    '?x=1',
    '?x=1&y=a%20b',
    '?u=https%3A%2F%2Fexample.com%2F',
    '?to=a@example.com',
  );
  return fc
    .tuple(path, query)
    .map(([below, parameters]) => `${publicUrl.replace(/\/$/, '')}${below}${parameters}`);
}
