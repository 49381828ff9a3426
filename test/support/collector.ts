import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A number of a metric with its attributes, as a collector understands it. */
interface CollectedPoint {
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: number;
  readonly seconds: number;
}

/** A metric as a collector understands it. */
interface CollectedMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge';
  readonly isMonotonic: boolean;
  readonly isCumulative: boolean;
  readonly points: readonly CollectedPoint[];
}

/** One request of a sender. */
export interface Collected {
  readonly path: string;
  readonly contentType: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
  readonly metrics: readonly CollectedMetric[];
  /** Members that the format does not have. */
  readonly unknown: readonly string[];
}

export interface Collector {
  readonly url: string;
  readonly came: Collected[];
  readonly close: () => Promise<void>;
}

interface Message {
  readonly fromObject: (value: object) => object;
  readonly toObject: (message: object, options: object) => unknown;
  readonly encode: (message: object) => { finish: () => Uint8Array };
  readonly decode: (bytes: Uint8Array) => object;
}

// The classes that OpenTelemetry generates of its own definition of the protocol.
const generated = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as {
  readonly opentelemetry: { proto: { collector: { metrics: { v1: Record<string, Message | undefined> } } } };
};

/** Receives OTLP over HTTP as JSON, and reads it by the definition of the protocol: through its binary form, which holds nothing else. */
export async function openCollector(): Promise<Collector> {
  const came: Collected[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      came.push(
        collected(JSON.parse(body) as object, incoming.url ?? '', incoming.headers['content-type'] ?? ''),
      );
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    came,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Points {
  readonly dataPoints: readonly { attributes?: Attribute[]; asDouble: number; timeUnixNano: string }[];
  readonly isMonotonic?: boolean;
  readonly aggregationTemporality?: string;
}

interface ExportRequest {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string };
      readonly metrics: readonly { name: string; unit: string; gauge?: Points; sum?: Points }[];
    }[];
  }[];
}

function collected(sent: object, path: string, contentType: string): Collected {
  const type = generated.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
  if (type === undefined) throw new Error('OpenTelemetry has no such message any more.');
  const message = type.decode(type.encode(type.fromObject(sent)).finish());
  const read = type.toObject(message, { longs: String, enums: String }) as ExportRequest;
  const scopes = read.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics);
  return {
    ...{ path, contentType, resource: attributesOf(read.resourceMetrics[0]?.resource.attributes) },
    scopes: scopes.map(({ scope }) => scope.name),
    metrics: scopes.flatMap(({ metrics }) => metrics).map(metricOf),
    unknown: [...namesIn(sent)].filter((name) => !namesIn(read).has(name)),
  };
}

function metricOf({
  name,
  unit,
  gauge,
  sum,
}: ExportRequest['resourceMetrics'][0]['scopeMetrics'][0]['metrics'][0]) {
  const { dataPoints, isMonotonic = false, aggregationTemporality } = gauge ?? sum ?? { dataPoints: [] };
  return {
    ...{ name, unit, kind: gauge ? ('gauge' as const) : ('sum' as const), isMonotonic },
    isCumulative: aggregationTemporality === 'AGGREGATION_TEMPORALITY_CUMULATIVE',
    points: dataPoints.map((point) => ({
      attributes: attributesOf(point.attributes),
      value: point.asDouble,
      seconds: Number(BigInt(point.timeUnixNano) / 1_000_000_000n),
    })),
  };
}

function attributesOf(list: readonly Attribute[] = []): Readonly<Record<string, string>> {
  return Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue ?? '']));
}

/** All names of members, however deep. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((held) => [...namesIn(held)])]);
}
