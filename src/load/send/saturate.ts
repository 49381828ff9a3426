import type { Clock } from '../../core/clock.ts';
import { usageError } from '../../core/errors.ts';
import { operations, type Api } from '../../core/operations.ts';
import type { HttpSettings } from '../../core/settings.ts';
import { flood } from '../../limits/autocannon.ts';
import { closingFlood, endsConnection } from '../../limits/closingFlood.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { createUndiciTransport } from '../../send/undiciTransport.ts';
import type { LimiterRuling } from '../judge/accuracy.ts';
import { arrivalsOf, type Arrival } from '../plan/arrivals.ts';
import { isWrite } from '../plan/mix.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { Recorder, SampleKind } from './recorder.ts';
import { cutOffMs, type Sender } from './sender.ts';

interface SaturationOptions {
  readonly plan: LoadPlan;
  readonly keys: readonly ApiKey[];
  readonly baseUrls: Readonly<Record<Api, string>>;
  readonly connections: number;
  readonly http: HttpSettings;
  readonly sender: Pick<Sender, 'prepare'>;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onStart: (startedAt: number) => void;
}

/** Number of different requests that are sent in turn; a multiple of them over all keys. */
const variety = 256;

/** A saturation sends reads to one address over plain HTTP; anything else is refused before it starts. */
export function refuseSaturation({ mix }: LoadPlan, baseUrls: SaturationOptions['baseUrls']): void {
  const write = mix.find(({ operation }) => isWrite(operation));
  if (write)
    throw refusal(
      `--mix: expected reads only, since the number of requests is not known in advance; got ${write.operation}`,
    );
  const urls = new Set(mix.map(({ operation }) => baseUrls[operations[operation].api]));
  const [url = ''] = urls;
  if (urls.size > 1)
    throw refusal('--mix: expected operations of one API, since the two have different hosts');
  if (!url.startsWith('http:'))
    throw refusal(
      `--saturate: expected a target on plain HTTP, since autocannon takes any certificate; got ${url}`,
    );
}

function refusal(message: string) {
  return usageError('SATURATION', `${message}. Nothing was sent.`, 'Use --rate for anything else.');
}

/** Sends as much as the target answers, and records it like any load; resolves to the time it took. */
export async function saturate(options: SaturationOptions): Promise<number> {
  const { plan, keys, sender, clock } = options;
  const turns = turnsOf(plan, keys, sender);
  const startedAt = clock.monotonic();
  options.onStart(startedAt);
  const [first] = turns;
  if (!first) return 0;
  const ways = { ...floodOptions(options, turns, startedAt), durationMs: plan.durationMs };
  const requests = turns.map(({ wire }) => wire);
  const transport = createUndiciTransport(options.http, clock, options.connections);
  // What is still under way a moment after an abort is cut off.
  const end = () => void clock.timer(cutOffMs, () => void transport.close());
  options.signal.addEventListener('abort', end, { once: true });
  try {
    // The first request shows whether the target keeps its connections, and counts like all others.
    const { outcome, timings } = await transport.send(first.wire);
    if (options.signal.aborted) return clock.monotonic() - startedAt;
    if (outcome.kind === 'failure') ways.onError(new Error(outcome.failure.message));
    else ways.onAnswer(0, outcome.response.status, timings.received - timings.sent);
    const rest = { ...ways, maxRequests: plan.maxRequests - 1 };
    if (rest.maxRequests < 1) return clock.monotonic() - startedAt;
    if (outcome.kind === 'response' && endsConnection(outcome.response.headers))
      await closingFlood(requests, { ...rest, transport, clock });
    else
      await flood(requests, {
        ...rest,
        baseUrl: first.wire.baseUrl,
        timeoutMs: options.http.responseTimeoutMs,
      });
  } finally {
    options.signal.removeEventListener('abort', end);
    await transport.close();
  }
  return clock.monotonic() - startedAt;
}

function floodOptions(options: SaturationOptions, turns: readonly Turn[], startedAt: number) {
  const { recorder, clock, signal, connections, http } = options;
  return {
    connections,
    signal,
    onAnswer: (index: number, status: number, ms: number) => {
      const turn = turns[index];
      if (turn) record(recorder, turn, { status, ms, at: clock.monotonic(), startedAt });
    },
    onError: (error: Error) => {
      const operation = turns[0]?.arrival.operation;
      if (operation === undefined) return;
      const atMs = Math.max(0, clock.monotonic() - startedAt);
      const status = error.message === 'request timed out' ? 'timeout' : 'reset';
      recorder.record(
        {
          ...{ operation, status, kind: 'error', atMs },
          ...timesOf(http.responseTimeoutMs),
          example: error.message,
        },
        null,
      );
    },
  };
}

interface Turn {
  readonly arrival: Arrival;
  readonly key: ApiKey;
  readonly wire: ReturnType<Sender['prepare']>['wire'];
  readonly expects: readonly number[];
}

/** The mix, each request with the next key. */
function turnsOf(plan: LoadPlan, keys: readonly ApiKey[], sender: Pick<Sender, 'prepare'>): readonly Turn[] {
  const count = Math.min(2048, Math.ceil(variety / keys.length) * keys.length);
  const steady: LoadPlan = {
    ...plan,
    arrivals: 'steady',
    ratePerSecond: count,
    durationMs: 1000,
    maxRequests: count,
  };
  const slice = { index: 0, fromMs: 0, toMs: 1000, first: 0, count };
  return [...arrivalsOf(steady, slice)].flatMap((arrival) => {
    const key = keys[arrival.index % keys.length];
    return key ? [{ arrival, key, ...sender.prepare(arrival, key) }] : [];
  });
}

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly at: number;
  readonly startedAt: number;
}

function record(
  recorder: Recorder,
  { arrival, key, expects }: Turn,
  { status, ms, at, startedAt }: Answer,
): void {
  recorder.record(
    {
      operation: arrival.operation,
      status: String(status),
      kind: kindOf(status, expects),
      atMs: Math.max(0, at - ms - startedAt),
      ...timesOf(ms),
      example: null,
    },
    // Autocannon uses another clock: adding a millisecond is safe.
    [key.label, at - ms - 1, at, decisionOf(status)],
  );
}

function timesOf(ms: number) {
  return { latencyMs: ms, serviceMs: ms, latenessMs: 0 };
}

function kindOf(status: number, expects: readonly number[]): SampleKind {
  if (status === 429) return 'refused';
  return expects.includes(status) ? 'ok' : 'error';
}

function decisionOf(status: number): LimiterRuling {
  if (status === 429) return 'refused';
  return status >= 200 && status < 300 ? 'admitted' : 'unknown';
}
