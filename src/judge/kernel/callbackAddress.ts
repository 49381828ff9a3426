import type { Delivery } from '../../core/evidence.ts';
import * as is from '../../spec/kernel/value.ts';
import { holds, violated, type Judgement } from './judgement.ts';

/** Whether a delivery went to one of these addresses, as it was registered, path and query included. */
export function isAtAddress(
  { target, registration: token }: Delivery,
  registered: readonly string[],
): Judgement {
  const wanted = registered.map((url) => fromToken(url, token));
  const came = fromToken(new URL(target, 'http://sink.invalid').href, token);
  if (wanted.includes(came)) return holds;
  return violated('address', {
    at: 'callback',
    want: is.text(`…${wanted[0] ?? ''}`),
    got: is.text(`…${came}`),
  });
}

/**
 * Path and query from the token on: a proxy may change what comes before it. A URL library may normalize
 * its input, so both are normalized before they are compared.
 */
function fromToken(url: string, token: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  const path = pathname.slice(Math.max(0, pathname.indexOf(token)));
  return `${path}${search}`;
}
