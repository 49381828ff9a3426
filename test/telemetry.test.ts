import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../src/version.ts';
import { resultSchema } from '../src/report/result.ts';
import { openCollector, type Collected, type Collector } from './support/collector.ts';
import { gatecheck, type Ended } from './support/gatecheck.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';

// What other programs make of the metrics: a collector by the definition of OTLP, the client library of Prometheus, Grafana's types.

const root = join(import.meta.dirname, '..');
let sandbox: Sandbox;
let collector: Collector;
let monitored: Ended;
let scraped = '';

beforeAll(async () => {
  sandbox = await openSandbox();
  collector = await openCollector();
  const args = [
    '--rounds',
    '2',
    '--every',
    '15s',
    '--daily-requests',
    '200000',
    '--daily-quota',
    '9',
    '--yes',
  ];
  monitored = await gatecheck(
    ['monitor', ...args, '--otlp', collector.url, '--metrics-listen', '127.0.0.1:0', '--seed', '1'],
    {
      env: env(),
      meanwhile: (child) => void child.stdout?.on('data', (data) => scrapeAfterRound(String(data))),
    },
  );
}, 120_000);
afterAll(async () => {
  await collector.close();
  await sandbox.close();
});

const env = () => ({
  GATECHECK_TARGET: sandbox.url,
  GATECHECK_KEYS_PRIMARY: sandbox.keys.slice(0, 8).join(','),
});

let metricsUrl = '';

/** The line of the first round comes while the monitor waits for the second. */
function scrapeAfterRound(printed: string): void {
  metricsUrl = /metrics at (\S+)/.exec(printed)?.[1] ?? metricsUrl;
  if (!printed.includes('1 round of this turn')) return;
  void fetch(metricsUrl).then(async (answer) => {
    scraped = await answer.text();
  });
}

const ofMonitor = () => collector.came.filter(({ scopes }) => scopes.includes('gatecheck.monitor'));
const pointsOf = (sent: Collected | undefined, name: string) =>
  sent?.metrics.find((one) => one.name === `gatecheck.monitor.${name}`)?.points ?? [];

test('a collector understands the metrics of a monitor: names, units, kinds, values and attributes', () => {
  expect(monitored.code, monitored.stdout + monitored.stderr).toBe(0);
  const [first, second] = ofMonitor();
  expect([first?.path, first?.contentType, ofMonitor().length]).toEqual([
    '/v1/metrics',
    'application/json',
    2,
  ]);
  expect(first?.unknown).toEqual([]);
  expect(first?.resource).toEqual({
    'service.name': 'gatecheck',
    'service.version': version,
    'gatecheck.run.id': 'monitor',
    'gatecheck.target': sandbox.url,
  });
  const shape = Object.fromEntries(
    (second?.metrics ?? []).map(({ name, unit, kind, isMonotonic, isCumulative }) => [
      name.replace('gatecheck.monitor.', ''),
      [unit, kind, isMonotonic, isCumulative].join(' '),
    ]),
  );
  expect(shape).toEqual({
    rounds: '{round} sum true true',
    alerts: '{alert} sum true true',
    requests: '{request} sum true true',
    quota_units: '{unit} sum true true',
    throttled: '{request} sum true true',
    failing_requirements: '{requirement} gauge false false',
    must_judged: '{requirement} gauge false false',
    coverage_ratio: '1 gauge false false',
    last_round_timestamp: 's gauge false false',
    verdict: '1 gauge false false',
    latency: 's gauge false false',
  });
  expect(second?.metrics.map(({ name }) => name).length).toBe(Object.keys(shape).length);
  const result = resultSchema.parse(
    JSON.parse(readFileSync(join(monitored.folder, 'reports/monitor/latest/result.json'), 'utf8')),
  );
  expect(pointsOf(second, 'rounds')).toMatchObject([{ value: 2 }]);
  expect(pointsOf(second, 'requests')[0]?.value).toBe(sandbox.log.length);
  expect(pointsOf(second, 'must_judged')[0]?.value).toBe(result.summary.coverage.must.judged);
  const verdicts = pointsOf(second, 'verdict').map(({ attributes, value }) => [attributes.verdict, value]);
  expect(verdicts).toEqual(
    ['conformant', 'partial', 'nonconformant', 'inconclusive'].map((one) => [
      one,
      one === result.summary.verdict ? 1 : 0,
    ]),
  );
  const [timing] = result.timings ?? [];
  expect(pointsOf(second, 'latency')).toContainEqual({
    attributes: { operation: timing?.operation, quantile: '0.99' },
    value: (timing?.p99Ms ?? 0) / 1000,
    seconds: expect.any(Number) as number,
  });
  const [earlier, later] = [first, second].map((sent) => pointsOf(sent, 'rounds')[0]?.seconds ?? 0);
  expect((later ?? 0) - (earlier ?? 0)).toBeGreaterThan(0);
});

test('a collector understands the metrics of a load, the last of which are those of its report', async () => {
  const loaded = await gatecheck(
    [
      'load',
      '--within-limits',
      '--duration',
      '3s',
      '--seed',
      '9',
      '--report-dir',
      'out',
      '--otlp',
      collector.url,
    ],
    { env: env() },
  );
  expect(loaded.code, loaded.stderr).toBe(0);
  const sent = collector.came.filter(({ scopes }) => scopes.includes('gatecheck.load'));
  const last = sent.at(-1);
  expect(last?.unknown).toEqual([]);
  const { load, run } = resultSchema.parse(
    JSON.parse(readFileSync(join(loaded.folder, 'out/result.json'), 'utf8')),
  );
  expect(last?.resource).toMatchObject({ 'gatecheck.run.id': run.id, 'gatecheck.target': sandbox.url });
  const told = Object.fromEntries(
    (last?.metrics ?? []).map((one) => [one.name.replace('gatecheck.load.', ''), one]),
  );
  for (const name of ['sent', 'ok', 'refused', 'errors'] as const) {
    expect(told[name]).toMatchObject({
      unit: '{request}',
      kind: 'sum',
      isMonotonic: true,
      isCumulative: true,
    });
    expect(told[name]?.points).toMatchObject([{ value: load?.counts[name], attributes: {} }]);
  }
  expect([told['latency.p99']?.unit, told['rate.sent']?.unit, told.in_flight?.kind]).toEqual([
    'ms',
    '{request}/s',
    'gauge',
  ]);
});

const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import prometheus_client']).status === 0,
);
const noPython = python === undefined ? ' (skipped: there is no Python with prometheus_client here)' : '';

test(`the client library of Prometheus reads the same figures from the endpoint${noPython}`, async ({
  skip,
}) => {
  if (python === undefined) return skip(noPython);
  await expect.poll(() => scraped).toContain('gatecheck_rounds_total');
  const families = JSON.parse(
    execFileSync(python, [join(import.meta.dirname, 'support/prometheus.py')], {
      input: scraped,
      encoding: 'utf8',
    }),
  ) as {
    name: string;
    type: string;
    help: string;
    samples: { labels: Record<string, string>; value: number }[];
  }[];
  const [first] = ofMonitor();
  const names = first?.metrics.map(({ name, kind }) => [
    name.replace('gatecheck.monitor.', 'gatecheck_'),
    kind,
  ]);
  // What has no figure yet is announced on the page, and not sent.
  const filled = families.filter(({ samples }) => samples.length > 0);
  expect(filled.map(({ name, type }) => [name.replace(/_seconds$/, ''), type])).toEqual(
    names?.map(([name, kind]) => [name, kind === 'sum' ? 'counter' : 'gauge']),
  );
  for (const { help, samples } of filled) {
    expect(help.length).toBeGreaterThan(5);
    expect(samples.every(({ labels }) => labels.target === sandbox.url)).toBe(true);
  }
  const valuesOf = (of: readonly { value: number }[] = []) => of.map(({ value }) => value);
  expect(filled.map(({ samples }) => valuesOf(samples))).toEqual(
    first?.metrics.map(({ points }) => valuesOf(points)),
  );
});

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat?: string }[];
  }[];
}

test('the dashboard is one by the types of Grafana', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-grafana-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const options = {
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['dashboard.ts'] }),
    );
    const json = readFileSync(join(root, 'examples/monitor/grafana.json'), 'utf8');
    const check = (text: string) => {
      const imports = "import type { DashboardTyped as D, PanelTyped as P } from './types.ts';\n";
      writeFileSync(
        join(folder, 'dashboard.ts'),
        `${imports}export const dashboard: D = ${text};\nexport type Used = P;\n`,
      );
      return spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
        encoding: 'utf8',
      });
    };
    writeFileSync(
      join(folder, 'types.ts'),
      `import type { Dashboard, Panel } from '@grafana/schema';
export type PanelTyped = Omit<Panel, 'targets'> & { targets: { refId: string; expr: string; legendFormat?: string }[] };
export type DashboardTyped = Omit<Dashboard, 'panels'> & { panels: PanelTyped[] };
`,
    );
    expect(check(json).stdout).toBe('');
    expect(check(json.replace('"gridPos"', '"gridPlace"')).stdout).toContain('gridPlace');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('each metric and each label of the dashboard is there', async () => {
  await expect.poll(() => scraped).toContain('gatecheck_rounds_total');
  const labels = new Map(
    [...scraped.matchAll(/^(gatecheck_\w+)\{(.*)\} /gm)].map(([, name = '', list = '']) => [
      name,
      [...list.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    ]),
  );
  // Where no callback came there is no delay.
  labels.set('gatecheck_callback_delay_seconds', ['target']);
  const { panels } = JSON.parse(
    readFileSync(join(root, 'examples/monitor/grafana.json'), 'utf8'),
  ) as Dashboard;
  const asked = panels.flatMap(({ targets }) => targets);
  expect(asked.length).toBeGreaterThan(8);
  for (const { expr, legendFormat = '' } of asked) {
    const [name = ''] = /gatecheck_\w+/.exec(expr) ?? [];
    const selectors = [...expr.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    expect(labels.get(name), expr).toEqual(expect.arrayContaining([...selectors, ...shown]));
  }
});
