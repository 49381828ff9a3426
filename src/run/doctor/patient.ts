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

/** A target to be asked, with read requests only. */
export interface Patient {
  readonly run: OpenRun;
  /** What the `Date` headers of its answers say. */
  readonly serverClock: ServerClock;
  /** Answers that carried a `Date` header. */
  readonly dates: () => number;
  /** Sends a read request. */
  readonly send: (request: ApiRequest) => Promise<Exchange>;
  /** Asks one API with one key; null where the key's limit has no room now. */
  ask(api: Api, key: ApiKey): Promise<Exchange | null>;
}

/** As many requests as a look before a run may cost at most. */
const mostRequests = 60;

export function createPatient(run: OpenRun): Patient {
  const { settings, target, clock, pacer } = run;
  const serverClock = new ServerClock(clock);
  let dates = 0;
  const maxRequests = Math.min(mostRequests, settings.budgets.maxRequests ?? mostRequests);
  const { client } = openTraffic(run, {
    budgets: { maxRequests, maxQuota: 0, maxSubscriptions: 0 },
    longestRetryAfterMs: 0,
    // Keys are looked at one by one here, the unknown ones as well.
    provesKeys: false,
    // Nothing that leaves anything behind is sent.
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
