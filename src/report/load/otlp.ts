import type { LiveFigures } from '../../load/summary/live.ts';

/** Attributes of the metrics of a load: only our own names and values. */
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
  const points = metrics.map(([name, unit, value, kind]) => ({ name, unit, value, kind, labels: {} }));
  return otlpOf('gatecheck.load', points, resource);
}

/** One point of a metric. */
interface OtlpPoint {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly kind: 'sum' | 'gauge';
  readonly labels: Readonly<Record<string, string>>;
}

/** Points as the JSON of OTLP. */
export function otlpOf(scope: string, points: readonly OtlpPoint[], resource: OtlpResource): object {
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: attributesOf({
            'service.name': 'gatecheck',
            'service.version': resource.version,
            'gatecheck.run.id': resource.runId,
            'gatecheck.target': resource.target,
          }),
        },
        scopeMetrics: [{ scope: { name: scope }, metrics: metricsOf(points, resource) }],
      },
    ],
  };
}

function attributesOf(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** Points with the same name are one metric, distinguished by their attributes. */
function metricsOf(points: readonly OtlpPoint[], resource: OtlpResource): readonly object[] {
  return [...Map.groupBy(points, ({ name }) => name)].map(([name, own]) => {
    const [{ unit, kind } = { unit: '1', kind: 'gauge' }] = own;
    const dataPoints = own.map((one) => pointOf(one, resource));
    return kind === 'gauge'
      ? { name, unit, gauge: { dataPoints } }
      : { name, unit, sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } };
  });
}

function pointOf({ value, labels }: OtlpPoint, { startedAt, at }: OtlpResource): object {
  return {
    ...(Object.keys(labels).length === 0 ? {} : { attributes: attributesOf(labels) }),
    ...{ startTimeUnixNano: nanos(startedAt), timeUnixNano: nanos(at), asDouble: value },
  };
}

/** OTLP transmits numbers of this size as text. */
function nanos(ms: number): string {
  return `${Math.round(ms)}000000`;
}
