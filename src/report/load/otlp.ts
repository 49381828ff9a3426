import type { LiveFigures } from '../../load/live.ts';

/** Attributes of the metrics of a load: only names and values of our own. */
interface OtlpResource {
  readonly runId: string;
  readonly target: string;
  readonly version: string;
  /** Epoch milliseconds of the start, and of now. */
  readonly startedAt: number;
  readonly at: number;
}

type Metric = readonly [name: string, unit: string, value: number, kind: 'sum' | 'gauge'];

/** The figures of a load as OpenTelemetry metrics: the JSON of OTLP over HTTP, `/v1/metrics`. */
export function renderOtlp(figures: LiveFigures, resource: OtlpResource): object {
  const metrics: readonly Metric[] = [
    ['gatecheck.load.sent', '{request}', figures.sent, 'sum'],
    ['gatecheck.load.ok', '{request}', figures.ok, 'sum'],
    ['gatecheck.load.refused', '{request}', figures.refused, 'sum'],
    ['gatecheck.load.errors', '{request}', figures.errors, 'sum'],
    ['gatecheck.load.missed', '{request}', figures.missed, 'sum'],
    ['gatecheck.load.broken', '{rule}', figures.broken, 'gauge'],
    ['gatecheck.load.in_flight', '{request}', figures.inFlight, 'gauge'],
    ['gatecheck.load.rate.wanted', '{request}/s', figures.wantedPerSecond, 'gauge'],
    ['gatecheck.load.rate.sent', '{request}/s', figures.sentPerSecond, 'gauge'],
    ['gatecheck.load.latency.p50', 'ms', figures.recentP50Ms, 'gauge'],
    ['gatecheck.load.latency.p99', 'ms', figures.recentP99Ms, 'gauge'],
    ...(figures.callbacks === null
      ? []
      : ([['gatecheck.load.callbacks.p99', 'ms', figures.callbacks.p99Ms, 'gauge']] as const)),
  ];
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: Object.entries({
            'service.name': 'gatecheck',
            'service.version': resource.version,
            'gatecheck.run.id': resource.runId,
            'gatecheck.target': resource.target,
          }).map(([key, stringValue]) => ({ key, value: { stringValue } })),
        },
        scopeMetrics: [
          { scope: { name: 'gatecheck.load' }, metrics: metrics.map((one) => metricOf(one, resource)) },
        ],
      },
    ],
  };
}

function metricOf([name, unit, value, kind]: Metric, { startedAt, at }: OtlpResource): object {
  const point = { startTimeUnixNano: nanos(startedAt), timeUnixNano: nanos(at), asDouble: value };
  return kind === 'gauge'
    ? { name, unit, gauge: { dataPoints: [point] } }
    : { name, unit, sum: { dataPoints: [point], aggregationTemporality: 2, isMonotonic: true } };
}

/** A number of so many digits travels as text. */
function nanos(ms: number): string {
  return `${Math.round(ms)}000000`;
}
