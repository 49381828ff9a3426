import type { Delivery } from '../../core/evidence.ts';
import { holds, violated, type Judgement } from './judgement.ts';

/**
 * What a delivery is attributed by: segments of a path that may be the token of a mailbox; the whole path where there are
 * none, as in the addresses of partners, which recordings hold.
 */
export function tokensOf(url: string): readonly string[] {
  const path = URL.parse(url)?.pathname ?? '';
  const segments = path.split('/').filter((segment) => segment.length >= 16);
  return segments.length === 0 && path !== '' ? [path] : segments;
}

/** Whether a delivery went to one of these addresses, as it was registered, path and query included. */
export function isAtAddress(
  { target, registration: token }: Delivery,
  registered: readonly string[],
): Judgement {
  const wanted = registered.map((url) => fromToken(url, token));
  const came = fromToken(new URL(target, 'http://sink.invalid').href, token);
  if (wanted.includes(came)) return holds;
  return violated('address', `…${wanted[0] ?? ''}`, `…${came}`);
}

/**
 * Path and query from the token on: what stands before it may be the matter of a proxy. A URL library may normalize
 * what it is given, so both are compared as one does.
 */
function fromToken(url: string, token: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {};
  const path = pathname.slice(Math.max(0, pathname.indexOf(token)));
  return `${path}${search}`;
}
