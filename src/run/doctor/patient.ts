import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { OpenRun } from '../../engine/openRun.ts';
import { exchangeEvent } from '../../engine/exchangeEvent.ts';
import { ServerClock } from '../../engine/serverClock.ts';
import { cheapRead } from '../../engine/probes.ts';
import { openTraffic } from '../../engine/traffic.ts';
import { headerOf, responseOf } from '../../judge/kernel/body.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { ApiKey } from '../../send/keyRing.ts';

/** A target for read requests only. */
export interface Patient {
  readonly run: OpenRun;
  /** The server's time according to the `Date` headers of its answers. */
  readonly serverClock: ServerClock;
  /** Number of answers with a `Date` header. */
  readonly dates: () => number;
  /** Sends a read request. */
  readonly send: (request: ApiRequest) => Promise<Exchange>;
  /** Queries one API with one key; null if the key's limit has no room now. */
  ask(api: Api, key: ApiKey): Promise<Exchange | null>;
}

/** Most requests that a check before a run may send. */
const mostRequests = 60;

export function createPatient(run: OpenRun): Patient {
  const { settings, target, clock, pacer } = run;
  const serverClock = new ServerClock(clock, run.clockBook);
  let dates = 0;
  const maxRequests = Math.min(mostRequests, settings.budgets.maxRequests ?? mostRequests);
  const { client } = openTraffic(run, {
    budgets: { maxRequests, maxQuota: 0, maxSubscriptions: 0 },
    longestRetryAfterMs: 0,
    // Keys are checked one by one here, including unknown ones.
    provesKeys: false,
    goesOn: true,
    // Only requests that leave nothing behind are sent.
    expect: () => undefined,
    see: (exchange) => {
      if (hasDate(exchange)) dates += 1;
      serverClock.observe(exchange);
      run.tell(exchangeEvent(exchange));
    },
    onStop: () => void target.transport.close(),
  });
  return {
    run,
    serverClock,
    dates: () => dates,
    send: (request) => client.send(request, 'doctor'),
    ask: (api, key) =>
      pacer.window(key).freeIn(clock.monotonic()) > 0
        ? Promise.resolve(null)
        : client.send(cheapRead(api, clock.now(), { key: { kind: 'key', key } }), 'doctor'),
  };
}

function hasDate(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  return response !== null && !Number.isNaN(Date.parse(headerOf(response, 'date') ?? ''));
}
