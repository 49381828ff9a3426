import type { Delivery } from '../../core/evidence.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import type { Wrong } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';

/** Whether a delivery went to one of these addresses, as it was registered, path and query included. */
export function addressFault(
  { target, registration: token }: Delivery,
  registered: readonly string[],
): Wrong | null {
  const wanted = registered.map((url) => fromToken(url, token));
  const came = fromToken(new URL(target, 'http://sink.invalid').href, token);
  if (wanted.includes(came)) return null;
  return { code: 'address', at: 'callback', want: is.text(`…${wanted[0] ?? ''}`), got: is.text(`…${came}`) };
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

/** Only headers with such names are signatures: tracing headers and user agents are not. */
const signature = /signature|hmac/i;

/** Whether a delivery carries no signature, neither as a header nor in its body. */
export function signatureFault(delivery: Delivery): Wrong | null {
  const header = delivery.headers.find(([name]) => signature.test(name));
  if (header) return { code: 'header', at: `header ${header[0]}`, want: is.absent, got: is.value(header[1]) };
  const body = deliveredObject(delivery) ?? {};
  const member = Object.keys(body).find((name) => signature.test(name));
  if (member === undefined) return null;
  return { code: 'body', at: member, want: is.absent, got: is.value(body[member]) };
}
