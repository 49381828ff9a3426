import type { Clock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import { tellsItsLength } from '../limits/closingFlood.ts';
import type { Transport, WireRequest, WireResult } from '../send/transport.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';

/**
 * A transport whose bursts are sent all at the same time, each request over a fresh connection of its own: through autocannon
 * where possible (plain HTTP without a proxy, to one host that states the length of its answers), else like all other requests.
 */
export function withBursts(transport: Transport, http: HttpSettings, clock: Clock): Transport {
  const framing = { isKnown: false, isByClosing: false };
  const isForAutocannon = (requests: readonly WireRequest[]) =>
    framing.isKnown &&
    !framing.isByClosing &&
    http.proxy === null &&
    requests.every(
      ({ baseUrl, connection }) =>
        baseUrl === requests[0]?.baseUrl && baseUrl.startsWith('http:') && connection === undefined,
    );
  const look = (result: WireResult) => {
    framing.isKnown ||= result.outcome.kind === 'response';
    framing.isByClosing ||= endsByClosing(result);
    return result;
  };
  const overOwnConnections = async (requests: readonly WireRequest[]) => {
    const own = createUndiciTransport(http, clock, requests.length);
    try {
      return await Promise.all(requests.map((request) => own.send(request)));
    } finally {
      await own.close();
    }
  };
  return {
    ...transport,
    send: (request) => transport.send(request).then(look),
    burst: async (requests) => {
      if (!isForAutocannon(requests)) return overOwnConnections(requests);
      // Loaded only when needed: it takes a twentieth of a start.
      const { burst } = await import('../limits/autocannon.ts');
      return burst(requests, { clock, timeoutMs: http.responseTimeoutMs });
    },
  };
}

/** Whether only the end of the connection marks the end of an answer, as with PHP's own server. */
function endsByClosing({ outcome }: WireResult): boolean {
  if (outcome.kind !== 'response' || outcome.response.body.length === 0) return false;
  return !tellsItsLength(outcome.response.headers);
}
