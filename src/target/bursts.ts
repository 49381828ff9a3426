import type { Clock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import { burst } from '../limits/autocannon.ts';
import type { Transport, WireRequest } from '../send/transport.ts';

/**
 * A transport whose bursts go through autocannon, where that is able to: over plain HTTP, straight, and to one host.
 * Everything else leaves over the ordinary connections, all at the same time.
 */
export function withBursts(transport: Transport, http: HttpSettings, clock: Clock): Transport {
  const isAble = (requests: readonly WireRequest[]) =>
    http.proxy === null &&
    requests.every(
      ({ baseUrl, connection }) =>
        baseUrl === requests[0]?.baseUrl && baseUrl.startsWith('http:') && connection === undefined,
    );
  return {
    ...transport,
    burst: (requests) =>
      isAble(requests)
        ? burst(requests, { clock, timeoutMs: http.responseTimeoutMs })
        : Promise.all(requests.map((request) => transport.send(request))),
  };
}
