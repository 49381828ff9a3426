import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import { ServerClock } from '../../engine/serverClock.ts';
import { headerOf, responseOf } from '../../judge/kernel/body.ts';
import { Allowance } from '../../send/allowance.ts';
import { Client } from '../../send/client.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { Pacer } from '../../send/pacer.ts';
import { list, lookup, type ApiRequest } from '../../send/request.ts';
import type { Target } from '../../target/target.ts';

/** A target to be asked, with read requests only. */
export interface Patient {
  readonly settings: Settings;
  readonly target: Target;
  readonly pacer: Pacer;
  /** What the `Date` headers of its answers say. */
  readonly serverClock: ServerClock;
  /** Answers that carried a `Date` header. */
  readonly dates: () => number;
  /** Asks one API with one key; null where the key's limit has no room now. */
  ask(api: Api, key: ApiKey): Promise<Exchange | null>;
}

export interface PatientOptions {
  readonly settings: Settings;
  readonly target: Target;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** As many requests as a look before a run may cost at most. */
const mostRequests = 60;

const nothingSpent = { kindOf: () => null, wasSpent: () => false, takeUnspent: () => 0 };

export function createPatient({ settings, target, clock, signal }: PatientOptions): Patient {
  const { perMinute, perHour } = settings.limits;
  const limits = [
    { limit: perMinute, windowMs: 60_000 },
    { limit: perHour, windowMs: 3_600_000 },
  ];
  const pacer = new Pacer({ clock, limits });
  const serverClock = new ServerClock(clock);
  let dates = 0;
  const client = new Client({
    transport: target.transport,
    baseUrls: target.baseUrls,
    keys: target.keys,
    pacer,
    allowance: new Allowance({
      maxRequests: Math.min(mostRequests, settings.budgets.maxRequests ?? mostRequests),
      maxQuota: 0,
      maxSubscriptions: 0,
    }),
    clock,
    extraHeaders: Object.entries(settings.http.headers),
    longestRetryAfterMs: 0,
    signal,
    spending: nothingSpent,
    onExchange: (exchange) => {
      if (hasDate(exchange)) dates += 1;
      serverClock.observe(exchange);
    },
    onRetryAfter: () => undefined,
    onRefused: () => undefined,
    ready: () => Promise.resolve(),
  });
  return {
    settings,
    target,
    pacer,
    serverClock,
    dates: () => dates,
    ask: (api, key) =>
      pacer.window(key).freeIn(clock.monotonic()) > 0
        ? Promise.resolve(null)
        : client.send(readRequest(api, key, clock), 'doctor'),
  };
}

/** Costs no quota and changes nothing. */
function readRequest(api: Api, key: ApiKey, clock: Clock): ApiRequest {
  const choice = { key: { kind: 'key', key } } as const;
  if (api === 'webcheckin') return list({ limit: '1' }, choice);
  const tomorrow = new Date(clock.now() + 86_400_000).toISOString().slice(0, 10);
  return lookup({ flightNumber: 'EK3', departureDate: tomorrow }, choice);
}

function hasDate(exchange: Exchange): boolean {
  const response = responseOf(exchange);
  return response !== null && !Number.isNaN(Date.parse(headerOf(response, 'date') ?? ''));
}
