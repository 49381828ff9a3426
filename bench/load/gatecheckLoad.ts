import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** What the benchmarks read of the result of a load. */
export interface LoadFigures {
  readonly sentPerSecond: number;
  readonly latency: { readonly p99Ms: number };
  readonly lateness: { readonly p99Ms: number };
  readonly counts: { readonly sent: number; readonly errors: number };
  readonly operations: readonly {
    readonly statuses: readonly {
      readonly status: string;
      readonly kind: string;
      readonly count: number;
      readonly example: string | null;
    }[];
  }[];
}

/** Runs `gatecheck load` against a server that has no rate limits, in a process and a folder of its own. */
export async function gatecheckLoad(given: {
  readonly url: string;
  readonly key: string;
  readonly ratePerSecond: number;
  readonly args: readonly string[];
  /** Options of Node. */
  readonly flags?: readonly string[];
  /** Called with the id of the process once it runs. */
  readonly onStart?: (pid: number) => void;
}): Promise<LoadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  try {
    writeFileSync(
      join(folder, 'gatecheck.config.json'),
      '{"limits":{"perMinute":100000000,"perHour":100000000}}',
    );
    const rate = ['--mix', 'wci.list=1', '--rate', `${given.ratePerSecond}/s`, '--report-dir', 'out'];
    const child = spawn(process.execPath, [...(given.flags ?? []), main, 'load', ...rate, ...given.args], {
      cwd: folder,
      env: { PATH: process.env.PATH, GATECHECK_TARGET: given.url, GATECHECK_KEYS_PRIMARY: given.key },
      stdio: ['ignore', 'ignore', process.env.BENCH_DEBUG === undefined ? 'ignore' : 'inherit'],
    });
    given.onStart?.(child.pid ?? 0);
    await once(child, 'close');
    const result = readFileSync(join(folder, 'out', 'result.json'), 'utf8');
    return (JSON.parse(result) as { load: LoadFigures }).load;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
