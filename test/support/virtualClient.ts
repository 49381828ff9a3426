import type { Exchange, Outcome } from '../../src/core/evidence.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import { Allowance } from '../../src/send/allowance.ts';
import { Client, type Spending } from '../../src/send/client.ts';
import { KeyRing } from '../../src/send/keyRing.ts';
import { Pacer } from '../../src/send/pacer.ts';
import type { WireRequest } from '../../src/send/transport.ts';

export const longestRetryAfterMs = 120_000;

export function answer(status: number, body: object = {}): Outcome {
  const bytes = Buffer.from(JSON.stringify(body));
  return { kind: 'response', response: { status, headers: [], body: bytes, truncated: false } };
}

export const lost: Outcome = {
  kind: 'failure',
  failure: { reason: 'timeout', message: '', maybeDelivered: true },
};

/** Counts units by the answer: a 2xx, or an unknown outcome, is spent. */
const spending: Spending = {
  kindOf: ({ operation }) =>
    operation === 'wci.subscribe' ? 'quota' : operation === 'fla.subscribe' ? 'subscription' : null,
  takeUnspent: () => 0,
  unproven: () => 0,
  wasSpent: (_request, { outcome }) => outcome.kind === 'failure' || outcome.response.status < 300,
};

interface Sent {
  readonly at: number;
  readonly request: WireRequest;
}

/** A client on virtual time, against a server that answers by a function of the request's number. */
export function clientOf(
  respond: (index: number, request: WireRequest) => Outcome,
  options: { keys?: string[]; budgets?: Partial<Allowance['limits']>; latencyMs?: number } = {},
) {
  const clock = new VirtualClock(0);
  const sent: Sent[] = [];
  const exchanges: Exchange[] = [];
  const waits: number[] = [];
  const lockedOut: number[] = [];
  const abort = new AbortController();
  const keys = KeyRing.of({ primary: options.keys ?? ['key-one'], other: ['key-other'], special: {} });
  const allowance = new Allowance({
    maxRequests: 1000,
    maxQuota: 100,
    maxSubscriptions: 100,
    ...options.budgets,
  });
  let refusals = 0;
  const client = new Client({
    transport: {
      send: async (request) => {
        sent.push({ at: clock.monotonic(), request });
        const outcome = respond(sent.length, request);
        const [sentAt, from] = [clock.now(), clock.monotonic()];
        if (options.latencyMs !== undefined) await clock.sleep(options.latencyMs);
        return {
          outcome,
          timings: { sentAt, receivedAt: clock.now(), sent: from, received: clock.monotonic() },
        };
      },
      close: () => Promise.resolve(),
    },
    baseUrls: { webcheckin: 'http://wci.test/base', 'flight-alerts': 'http://fla.test' },
    keys,
    pacer: new Pacer({ clock, limits: [{ limit: 60, windowMs: 60_000 }] }),
    allowance,
    clock,
    extraHeaders: [['X-Gateway', 'yes']],
    longestRetryAfterMs,
    signal: abort.signal,
    onExchange: (exchange) => exchanges.push(exchange),
    onRetryAfter: (_key, ms) => waits.push(ms),
    onRefused: () => (refusals += 1),
    onLockedOut: (ms) => lockedOut.push(ms),
    redact: (text) => text.replaceAll('key-one', '‹key›'),
    spending,
    ready: () => Promise.resolve(),
  });
  return {
    client,
    keys,
    clock,
    sent,
    exchanges,
    waits,
    lockedOut,
    abort,
    allowance,
    refusals: () => refusals,
  };
}

export function statusOf({ outcome }: Exchange): number | null {
  return outcome.kind === 'response' ? outcome.response.status : null;
}
