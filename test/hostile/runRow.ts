import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings, resultSchema, run, type Config } from '../../src/index.ts';
import { echoes } from './bodyRows.ts';
import { sentKeys, type HostileRow } from './row.ts';

/** What a run against a hostile server came to, and what is wrong with that, whatever time it took. */
export interface Survived {
  readonly row: HostileRow;
  readonly exitCode: number;
  readonly ms: number;
  /** By how much the process grew at most, in MiB. */
  readonly grownMebibytes: number;
  readonly requests: number;
  readonly faults: readonly string[];
}

/** Small enough for all of the table to take a few minutes. */
const config: Config = {
  keys: { primary: 'env:KEYS' },
  seed: 1,
  profile: 'smoke',
  budgets: { maxRequests: 20, maxDuration: '8s', maxQuota: 4, maxSubscriptions: 4 },
  http: { connectTimeout: '300ms', responseTimeout: '300ms', maxBodyBytes: 1 << 20 },
};
const most = { grownMebibytes: 400 };

/** A whole run, reports included, against the server of a row. */
export async function runRow(row: HostileRow): Promise<Survived> {
  const target = await row.open();
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-hostile-'));
  const settings = resolveSettings({ ...config, target: target.url }, { env: { KEYS: sentKeys.join(',') } });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
  const started = performance.now();
  try {
    const { result, exitCode, reportDir } = await run(settings, { root });
    const ms = Math.round(performance.now() - started);
    const grownMebibytes = Math.round((Math.max(peak, process.memoryUsage.rss()) - before) / (1 << 20));
    const astray = target.astray?.() ?? 0;
    const lost = row.end === 'lost';
    const faults = [
      ...(resultSchema.safeParse(result).success ? [] : ['the result is malformed']),
      ...(JSON.stringify(result).includes('a fault of Gatecheck') ? ['a fault of Gatecheck'] : []),
      ...([0, 1, 3].includes(exitCode) ? [] : [`exit ${exitCode}`]),
      ...(lost && exitCode !== 3 ? [`exit ${exitCode} in place of 3`] : []),
      ...(lost && result.findings.length > 0 ? [`${result.findings.length} findings`] : []),
      ...(astray > 0 ? [`${astray} requests went astray`] : []),
      ...(grownMebibytes > most.grownMebibytes ? [`grew by ${grownMebibytes} MiB`] : []),
      ...secretsIn(reportDir),
    ];
    return { row, exitCode, ms, grownMebibytes, requests: result.summary.requests, faults };
  } finally {
    clearInterval(watch);
    await target.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Ways of writing a key that stand in a file of the reports. */
function secretsIn(dir: string): readonly string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
    const shown = Object.entries(echoes).filter(([, write]) =>
      sentKeys.some(
        (key) => text.includes(write(key)) || text.includes(JSON.stringify(write(key)).slice(1, -1)),
      ),
    );
    return shown.map(([name]) => `a key ${name} in ${entry.name}`);
  });
}
