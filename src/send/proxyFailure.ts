import type { TransportFailure } from '../core/evidence.ts';
import type { HttpSettings } from '../core/settings.ts';

/** Names the proxy in a failure to connect to it, which says nothing about the target. */
export function namingProxy(
  failure: TransportFailure,
  error: unknown,
  { http, origin }: { readonly http: HttpSettings; readonly origin: string },
): TransportFailure {
  const proxies = [http.proxy, http.environmentProxy?.http, http.environmentProxy?.https].flatMap((url) =>
    typeof url === 'string' && URL.canParse(url) ? [new URL(url)] : [],
  );
  const target = new URL(origin);
  const isAtProxy = proxies.some(
    (proxy) => isSilentProxy(failure) || isPlaceOf(placeOf(error), proxy, target),
  );
  return isAtProxy ? { ...failure, message: `the proxy: ${failure.message}` } : failure;
}

/** A wait for an answer before there is a connection to the target can only be one for a tunnel. */
function isSilentProxy({ message, maybeDelivered }: TransportFailure): boolean {
  return !maybeDelivered && message.includes('UND_ERR_HEADERS_TIMEOUT');
}

/** What a connection was to be opened to. */
interface Place {
  readonly port?: number;
  readonly hostname?: string;
}

function isPlaceOf({ port, hostname }: Place, proxy: URL, target: URL): boolean {
  if (hostname !== undefined) return hostname === proxy.hostname && hostname !== target.hostname;
  return port !== undefined && port === portOf(proxy) && port !== portOf(target);
}

function portOf({ port, protocol }: URL): number {
  return port !== '' ? Number(port) : protocol === 'https:' ? 443 : 80;
}

/** The innermost error knows it: Node wraps those of several addresses, undici wraps them once more. */
function placeOf(error: unknown): Place {
  if (!(error instanceof Error)) return {};
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause];
  if (first instanceof Error) return placeOf(first);
  return error as Place;
}
