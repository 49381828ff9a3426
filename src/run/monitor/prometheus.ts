import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '../../plan/sinkReach.ts';
import { listenError } from '../../core/listenFault.ts';
import { laterMetrics, type Sample } from './figures.ts';

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
