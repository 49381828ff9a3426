import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunResult } from '../../report/result.ts';
import { isLoopbackHost } from '../../plan/sinkReach.ts';
import { listenError } from '../../core/listenFault.ts';

/** What a monitor measures; the names and words that it adds to them are its own. */
export interface MonitorFigures {
  readonly rounds: number;
  readonly alerts: number;
  readonly requests: number;
  readonly quota: number;
  readonly throttled: number;
  readonly failing: number;
  /** Epoch seconds of the end of the latest round; 0 before it. */
  readonly lastRound: number;
  /** Of the latest round, 1 for the one that applies. */
  readonly verdict: RunResult['summary']['verdict'] | 'unknown';
  readonly mustJudged: number;
  /** Of the checks that fit the day, the share that the rounds of this turn have met. */
  readonly coverage: number;
  readonly latencies: readonly {
    readonly operation: string;
    readonly p50Ms: number;
    readonly p99Ms: number;
  }[];
  /** From `occurredAt` to the arrival, the longest of the latest round; null where no callback came. */
  readonly callbackDelayMs: number | null;
}

export const noFigures: MonitorFigures = {
  ...{ rounds: 0, alerts: 0, requests: 0, quota: 0, throttled: 0, failing: 0, lastRound: 0 },
  ...{ verdict: 'unknown', mustJudged: 0, coverage: 0, latencies: [], callbackDelayMs: null },
};

/** A point of a metric with its labels. */
export interface Sample {
  readonly name: string;
  readonly help: string;
  readonly unit: string;
  readonly kind: 'counter' | 'gauge';
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

type Metric = readonly [name: string, unit: string, kind: Sample['kind'], help: string];

const latency: Metric = ['latency_seconds', 's', 'gauge', 'response times of the latest round'];
const callbackDelay: Metric = ['callback_delay_seconds', 's', 'gauge', 'longest delay of a callback'];

/** Metrics that have no samples before a first round, and are announced nevertheless, so that whoever looks for them finds them. */
export const laterMetrics: readonly Metric[] = [latency, callbackDelay];

const verdicts = ['conformant', 'partial', 'nonconformant', 'inconclusive'] as const;

/** The figures as samples of metrics, the same for Prometheus and OpenTelemetry. */
export function samplesFor(figures: MonitorFigures): readonly Sample[] {
  const one = ([name, unit, kind, help]: Metric, value: number, labels: Sample['labels'] = {}): Sample => ({
    name,
    unit,
    kind,
    help,
    value,
    labels,
  });
  const isVerdict = [
    'verdict',
    '1',
    'gauge',
    'verdict of the latest round: 1 for the one that applies',
  ] as const;
  return [
    one(['rounds_total', '{round}', 'counter', 'rounds that ended'], figures.rounds),
    one(['alerts_total', '{alert}', 'counter', 'alerts that were sent'], figures.alerts),
    one(['requests_total', '{request}', 'counter', 'requests that were sent'], figures.requests),
    one(['quota_units_total', '{unit}', 'counter', 'quota units that were spent'], figures.quota),
    one(
      ['throttled_total', '{request}', 'counter', 'answers 429 outside the checks of limits'],
      figures.throttled,
    ),
    one(['failing_requirements', '{requirement}', 'gauge', 'must-requirements that fail'], figures.failing),
    one(
      ['must_judged', '{requirement}', 'gauge', 'must-requirements that the latest round judged'],
      figures.mustJudged,
    ),
    one(
      ['coverage_ratio', '1', 'gauge', 'share of the checks that fit the day which this turn has met'],
      figures.coverage,
    ),
    one(['last_round_timestamp_seconds', 's', 'gauge', 'when the latest round ended'], figures.lastRound),
    ...verdicts.map((verdict) => one(isVerdict, figures.verdict === verdict ? 1 : 0, { verdict })),
    ...figures.latencies.flatMap(({ operation, p50Ms, p99Ms }) => [
      one(latency, p50Ms / 1000, { operation, quantile: '0.5' }),
      one(latency, p99Ms / 1000, { operation, quantile: '0.99' }),
    ]),
    ...(figures.callbackDelayMs === null ? [] : [one(callbackDelay, figures.callbackDelayMs / 1000)]),
  ];
}

/** What the result of a round does not say. */
interface Round {
  readonly alerts: number;
  readonly failing: number;
  readonly at: number;
  readonly covered: { readonly met: number; readonly all: number };
  readonly evidence: string | null;
}

/** The figures after a round. */
export async function afterRound(
  before: MonitorFigures,
  result: RunResult | null,
  { alerts, failing, at, covered, evidence }: Round,
): Promise<MonitorFigures> {
  const told = {
    rounds: before.rounds + 1,
    alerts: before.alerts + alerts,
    failing,
    coverage: covered.all === 0 ? 0 : covered.met / covered.all,
    lastRound: Math.round(at / 1000),
  };
  if (result === null) return { ...before, ...told, verdict: 'inconclusive', mustJudged: 0, latencies: [] };
  const { summary, timings = [] } = result;
  return {
    ...told,
    requests: before.requests + summary.requests,
    quota: before.quota + summary.quotaUnits,
    throttled: before.throttled + summary.throttled,
    verdict: summary.verdict,
    mustJudged: summary.coverage.must.judged,
    latencies: timings.map(({ operation, p50Ms, p99Ms }) => ({ operation, p50Ms, p99Ms })),
    callbackDelayMs: evidence === null ? null : await longestDelay(evidence),
  };
}

/** Of the deliveries in the evidence of a round; a clock that is off makes no delay below nothing. */
async function longestDelay(path: string): Promise<number | null> {
  let longest: number | null = null;
  try {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (!line.startsWith('{"type":"delivery"')) continue;
      const { startedAt, request } = JSON.parse(line) as {
        startedAt: string;
        request: { body: { text?: string } | null };
      };
      const occurred = /"occurredAt"\s*:\s*"([^"]{1,40})"/.exec(request.body?.text ?? '')?.[1] ?? '';
      const delay = Date.parse(startedAt) - Date.parse(occurred);
      if (!Number.isNaN(delay)) longest = Math.max(longest ?? 0, delay, 0);
    }
  } catch {
    return longest;
  }
  return longest;
}

/** Samples in the text format of Prometheus (0.0.4). */
export function renderPrometheus(samples: readonly Sample[], target: string): string {
  const metrics = new Map(samples.map(({ name, kind, help }) => [name, { kind, help }]));
  for (const [name, , kind, help] of laterMetrics) metrics.set(name, { kind, help });
  const lines = [...metrics].flatMap(([name, { kind, help }]) => [
    `# HELP gatecheck_${name} ${help}`,
    `# TYPE gatecheck_${name} ${kind}`,
    ...samples
      .filter((one) => one.name === name)
      .map(({ value, labels }) => `gatecheck_${name}{${labelsOf({ target, ...labels })}} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelsOf(labels: Sample['labels']): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `${name}="${value.replace(/["\\\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))}"`,
    )
    .join(',');
}

interface MetricsServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Answers `GET /metrics`, and nothing else. */
export async function openMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => string,
): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 5000, requestTimeout: 5000 }, (request, response) => {
    // By loopback, only names of this machine lead here rightly.
    const isHere =
      !isLoopbackHost(host) || /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    if (!isHere || !isAsked) {
      response.writeHead(isHere ? 404 : 403).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(render());
  });
  server.maxConnections = 50;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    throw listenError({ host, port, hostOption: '--metrics-listen', portOption: '--metrics-listen' }, cause);
  }
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${(server.address() as AddressInfo).port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
