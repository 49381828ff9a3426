import type { Clock } from '../core/clock.ts';
import type { HttpSettings } from '../core/settings.ts';
import type { Transport } from '../send/transport.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';

/**
 * A transport whose bursts leave all at the same time, each request over a fresh connection of its own. They go the way of all other
 * requests (proxy, certificates, limits of an answer), and read each answer that HTTP allows: also one that ends with its connection.
 */
export function withBursts(transport: Transport, http: HttpSettings, clock: Clock): Transport {
  return {
    ...transport,
    burst: async (requests) => {
      const own = createUndiciTransport(http, clock, requests.length);
      try {
        return await Promise.all(requests.map((request) => own.send(request)));
      } finally {
        await own.close();
      }
    },
  };
}
