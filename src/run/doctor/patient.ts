import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';
import { exchangeEvent } from '../../engine/observe/events.ts';
import { ServerClock } from '../../engine/clock/serverClock.ts';
import { cheapRead } from '../../engine/health/probes.ts';
import { openTraffic } from '../../engine/session/traffic.ts';
import { headerOf, responseOf } from '../../judge/kernel/body.ts';
import { BudgetExhausted } from '../../send/allowance.ts';
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
  /** Queries one API with one key; null if the key's limit has no room now, or the look has ended. */
  ask(api: Api, key: ApiKey): Promise<Exchange | null>;
  /** Whether all that answered was the rate limit. */
  readonly isLockedOut: () => boolean;
  /** Milliseconds until the key may be used again. */
  waitOf(key: ApiKey): number;
  /** Why nothing more is sent: the target refuses everything, or a budget is used up. Null if more may be sent. */
  ended(): string | null;
}

/** Most requests that a check before a run may send. */
const mostRequests = 60;

export function createPatient(run: OpenRun): Patient {
  const { settings, target, clock, pacer } = run;
  const serverClock = new ServerClock(clock, run.clockBook);
  let [dates, refused, admitted] = [0, 0, 0];
  const maxRequests = Math.min(mostRequests, settings.budgets.maxRequests ?? mostRequests);
  const { client, ending } = openTraffic(run, {
    budgets: { maxRequests, maxQuota: 0, maxSubscriptions: 0 },
    longestRetryAfterMs: 0,
    // Keys are checked one by one here, including unknown ones.
    goesOn: true,
    // Only requests that leave nothing behind are sent.
    expect: () => undefined,
    see: (exchange) => {
      if (hasDate(exchange)) dates += 1;
      const status = responseOf(exchange)?.status;
      if (status === 429) refused += 1;
      else if (status !== undefined) admitted += 1;
      serverClock.observe(exchange);
      run.tell(exchangeEvent(exchange));
    },
    onStop: () => void target.transport.close(),
  });
  let spent: string | null = null;
  const ended = () => (ending.isStopped ? ending.reason : spent);
  const send = (request: ApiRequest) =>
    client.send(request, 'doctor').catch((error: unknown) => {
      if (error instanceof BudgetExhausted) spent = error.message;
      throw error;
    });
  return {
    ...{ run, serverClock, send, ended },
    dates: () => dates,
    isLockedOut: () => refused > 0 && admitted === 0,
    waitOf: (key) => pacer.window(key).freeIn(clock.monotonic()),
    ask: async (api, key) => {
      if (ended() !== null || pacer.window(key).freeIn(clock.monotonic()) > 0) return null;
      const read = cheapRead(api, clock.now(), { key: { kind: 'key', key } });
      return send(read).catch((error: unknown) => nullOnceEnded({ run, ended }, error));
    },
  };
}

function hasDate(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  return response !== null && !Number.isNaN(Date.parse(headerOf(response, 'date') ?? ''));
}

/** The end of a look is told once, by a line of its own; an interrupt ends the command. */
export function nullOnceEnded({ run, ended }: Pick<Patient, 'run' | 'ended'>, error: unknown): null {
  if (run.signal.aborted || ended() === null) throw error;
  return null;
}
