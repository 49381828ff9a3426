import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { GatecheckError } from '../../src/core/errors.ts';
import { resolveSettings, resultSchema, run, type Config, type RunResult } from '../../src/index.ts';
import type { Settings } from '../../src/core/settings.ts';
import { examine } from '../../src/run/doctor/doctor.ts';
import { echoes } from './bodyRows.ts';
import { sentKeys, type HostileRow } from './row.ts';

/** What a run against a hostile server came to, and what is wrong with that, whatever time it took. */
export interface Survived {
  readonly row: HostileRow;
  readonly exitCode: number;
  readonly ms: number;
  /** What the process held at most, its hostile server included, and by how much that is more than before; in MiB. */
  readonly heldMebibytes: number;
  readonly grownMebibytes: number;
  readonly requests: number;
  /** What the doctor says of it, where that is asked for; null elsewhere. */
  readonly said: string | null;
  readonly faults: readonly string[];
}

/** Small enough for all of the table to take a few minutes. */
const config: Config = {
  keys: { primary: 'env:KEYS' },
  seed: 1,
  profile: 'smoke',
  budgets: { maxRequests: 24, maxDuration: '8s', maxQuota: 4, maxSubscriptions: 4 },
  http: { connectTimeout: '300ms', responseTimeout: '300ms' },
};
const most = { grownMebibytes: 400, ms: 120_000 };
const mebibyte = 1 << 20;

/** A whole run, reports included, against the server of a row. */
export async function runRow(row: HostileRow): Promise<Survived> {
  const target = await row.open();
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-hostile-'));
  const settings = resolveSettings(
    {
      ...{ ...config, ...target.config, target: target.url },
      http: { ...config.http, ...target.config?.http },
    },
    { env: { KEYS: sentKeys.join(',') } },
  );
  const memory = watchMemory();
  const started = performance.now();
  try {
    const ended = await endOf(settings, root);
    const ms = Math.round(performance.now() - started);
    const said = row.group === 'TLS' ? await doctorSays(settings, root) : null;
    const figures = { exitCode: ended.exitCode, ms, ...memory.end(), requests: ended.requests, said };
    const elsewhere = target.elsewhere?.() ?? 0;
    const faults = [
      ...faultsOf(row, ended),
      ...(ms > most.ms ? [`took ${ms} ms`] : []),
      ...(elsewhere > 0 ? [`${elsewhere} requests went elsewhere`] : []),
      ...(figures.grownMebibytes > most.grownMebibytes ? [`grew by ${figures.grownMebibytes} MiB`] : []),
      ...secretsIn(ended.reportDir, ended.message + (said ?? '')),
    ];
    return { row, ...figures, faults };
  } finally {
    memory.end();
    await target.close();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Ended {
  readonly exitCode: number;
  readonly requests: number;
  readonly result: RunResult | null;
  readonly reportDir: string;
  /** What a run that could not begin says. */
  readonly message: string;
}

/** A run that cannot begin, as beside a state handler that is none, says so and has no reports. */
async function endOf(settings: Settings, root: string): Promise<Ended> {
  try {
    const { result, exitCode, reportDir } = await run(settings, { root });
    return { exitCode, requests: result.summary.requests, result, reportDir, message: '' };
  } catch (error) {
    if (!(error instanceof GatecheckError)) throw error;
    const message = `${error.message}\n${error.hint ?? ''}`;
    return { exitCode: error.exitCode, requests: 0, result: null, reportDir: root, message };
  }
}

function faultsOf(row: HostileRow, { exitCode, result, message }: Ended): readonly string[] {
  const lost = row.end === 'lost';
  return [
    ...(result === null || resultSchema.safeParse(result).success ? [] : ['the result is malformed']),
    ...(JSON.stringify(result).includes('a fault of Gatecheck') ? ['a fault of Gatecheck'] : []),
    ...(message.length > 1000 ? [`a message of ${message.length} characters`] : []),
    ...([0, 1, 3].includes(exitCode) ? [] : [`exit ${exitCode}`]),
    ...(lost && exitCode !== 3 ? [`exit ${exitCode} in place of 3`] : []),
    ...(lost && result !== null && result.findings.length > 0 ? [`${result.findings.length} findings`] : []),
    // The deployment beside a bad state handler or caller conforms.
    ...(row.blames === 'nobody' && exitCode === 1
      ? [`blamed ${result?.findings.map(({ requirement }) => requirement).join(', ') ?? ''}`]
      : []),
  ];
}

async function doctorSays(settings: Settings, root: string): Promise<string> {
  const lines = await examine({ settings, clock: systemClock, signal: new AbortController().signal, root });
  const found = lines.filter(({ area, health }) => area === 'target' && health !== 'ok');
  const { text, todo } = found.find(({ subject }) => subject === 'TLS') ?? found[0] ?? { text: '', todo: '' };
  return `${text.replace(/https?:\/\/127\.0\.0\.1:\d+: |127\.0\.0\.1:\d+: /, '')}. ${todo ?? ''}`;
}

/** What an earlier row left to be collected is not this one's. */
function watchMemory() {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = () => (peak = Math.max(peak, process.memoryUsage.rss()));
  const watch = setInterval(look, 10);
  return {
    end: () => {
      clearInterval(watch);
      look();
      return {
        heldMebibytes: Math.round(peak / mebibyte),
        grownMebibytes: Math.round((peak - before) / mebibyte),
      };
    },
  };
}

/** Ways of writing a key that stand in a file of the reports. */
function secretsIn(dir: string, console: string): readonly string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(
    (entry) => [entry.name, () => readFileSync(join(entry.parentPath, entry.name), 'latin1')] as const,
  );
  return [...texts, ['the console', () => console] as const].flatMap(([name, read]) => {
    const text = read();
    const shown = [...forms].filter(([, written]) => written.some((form) => text.includes(form)));
    return shown.map(([how]) => `a key ${how} in ${name}`);
  });
}

/** What each way of writing makes of the keys; made once, since there are some hundred files to search. */
const forms = new Map(
  Object.entries(echoes).map(([how, write]) => {
    const written = sentKeys.map((key) => write(key));
    const escaped = written.map((form) => JSON.stringify(form).slice(1, -1));
    return [how, [...new Set([...written, ...escaped])]] as const;
  }),
);
