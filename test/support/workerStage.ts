import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatecheck, type Ended } from './gatecheck.ts';
import { startRedis, type OwnRedis } from './redis.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { startEnv } from './startEnv.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** A deployment, a Redis and the workers of one test, all of its own. */
export class WorkerStage {
  readonly redis: OwnRedis;
  sandbox: Sandbox;
  readonly #workers: ChildProcess[] = [];

  constructor(redis: OwnRedis, sandbox: Sandbox) {
    this.redis = redis;
    this.sandbox = sandbox;
  }

  static async open(): Promise<WorkerStage> {
    return new WorkerStage(await startRedis(), await openSandbox());
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) {
      worker.kill('SIGKILL');
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'close');
    }
    await this.sandbox.close();
    await this.redis.stop();
  }

  startWorker(name: string, keys = this.sandbox.keys, args: readonly string[] = []): ChildProcess {
    const child = spawn(process.execPath, [main, 'worker', '--name', name, ...args], {
      cwd: mkdtempSync(join(tmpdir(), 'gatecheck-worker-')),
      env: {
        ...startEnv,
        GATECHECK_REDIS: this.redis.url,
        GATECHECK_TARGET: this.sandbox.url,
        GATECHECK_KEYS_PRIMARY: keys.join(','),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#workers.push(child);
    return child;
  }

  load(args: readonly string[], meanwhile?: (child: ChildProcess) => void): Promise<Ended> {
    return gatecheck(['load', '--target', this.sandbox.url, '--report-dir', 'out', ...args], {
      env: { GATECHECK_REDIS: this.redis.url, GATECHECK_KEYS_PRIMARY: this.sandbox.keys.join(',') },
      ...(meanwhile === undefined ? {} : { meanwhile }),
    });
  }

  /** A smoke run in as many shards, with two keys each. */
  runOver(
    shards: number,
    meanwhile: (child: ChildProcess) => void,
    more: readonly string[] = [],
  ): Promise<Ended> {
    const args = ['--workers', String(shards), '--profile', 'smoke', '--report-dir', 'out', ...more];
    return gatecheck(['run', '--target', this.sandbox.url, ...args], {
      env: {
        GATECHECK_REDIS: this.redis.url,
        GATECHECK_KEYS_PRIMARY: this.sandbox.keys.slice(0, 2 * shards).join(','),
      },
      meanwhile,
    });
  }

  /** Resolves once the sandbox was asked so many times. */
  async asked(count: number): Promise<void> {
    while (this.sandbox.log.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
