import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { noFigures, samplesFor, openMetricsServer, renderPrometheus } from './figures.ts';

test('metrics are in the format of Prometheus, with labels that nobody can break out of', () => {
  const figures = {
    ...noFigures,
    rounds: 3,
    verdict: 'partial' as const,
    latencies: [{ operation: 'wci.list', p50Ms: 5, p99Ms: 80 }],
  };
  const text = renderPrometheus(samplesFor(figures), 'http://a"\n\\b');
  expect(text).toContain(
    '# TYPE gatecheck_rounds_total counter\ngatecheck_rounds_total{target="http://a\\"\\n\\\\b"} 3\n',
  );
  expect(text).toContain('verdict="partial"} 1');
  expect(text).toContain('operation="wci.list",quantile="0.99"} 0.08');
});

test('the endpoint answers /metrics on this machine alone', async () => {
  const server = await openMetricsServer(
    { host: '127.0.0.1', port: 0 },
    () => 'gatecheck_rounds_total{} 1\n',
  );
  const ask = async (url: string, host?: string) =>
    (await request(url, host === undefined ? {} : { headers: { host } })).statusCode;
  expect(await ask(server.url)).toBe(200);
  expect(await ask(server.url.replace('/metrics', '/'))).toBe(404);
  expect(await ask(server.url, 'evil.example.com')).toBe(403);
  await server.close();
});

test('the dashboard of the examples asks for metrics that there are', () => {
  const text = readFileSync(new URL('../../../examples/monitor/grafana.json', import.meta.url), 'utf8');
  const asked = new Set([...text.matchAll(/gatecheck_[a-z_]+/g)].map(([name]) => name));
  // Already before the first round: whoever sets up a dashboard looks at the page at once.
  const page = renderPrometheus(samplesFor(noFigures), 'http://a');
  expect([...asked].filter((name) => !page.includes(`# TYPE ${name} `))).toEqual([]);
  expect(asked.size).toBeGreaterThan(7);
});
