import { type Environment, type Io } from '../../core/io.ts';
import { join, relative } from 'node:path';
import type { Command } from 'commander';
import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { WorkerOptions } from '../../load/planLoad.ts';
import { addSecrets } from '../../settings/addSecrets.ts';
import { valueOf } from '../../settings/environment.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import { parseInteger } from '../../settings/values/number.ts';
import { parseRedisUrl } from '../../settings/values/redisUrl.ts';

/** How a load or a run is handed out, as commander hands it over. */
export interface RawWorkerOptions {
  readonly workers?: string;
  readonly redis?: string;
}

export function addWorkersOptions(command: Command, what: string): Command {
  return command
    .option('--workers <n>', `let so many gatecheck workers ${what}, over Redis`)
    .option('--redis <url>', 'Redis of the workers (default: GATECHECK_REDIS)');
}

/** The workers that are asked for; null for none. What is wrong goes to the reader. */
export function readWorkers(
  raw: RawWorkerOptions,
  env: Environment,
  reader: FieldReader,
): WorkerOptions | null {
  const count = reader.read('--workers', raw.workers, parseInteger({ min: 1, max: 1000, example: 4 }));
  const redisUrl = reader.read('--redis', raw.redis ?? valueOf(env, 'GATECHECK_REDIS'), parseRedisUrl);
  if (count === undefined) return null;
  if (redisUrl !== undefined) return { count, redisUrl };
  if (raw.redis === undefined) {
    reader.refuse(
      '--redis',
      'expected the Redis that the workers use, such as redis://127.0.0.1:6379; got none',
    );
  }
  return null;
}

/** The password of a Redis address is a secret, as it stands and decoded. */
export function redisSecrets(url: string): readonly string[] {
  const { password } = new URL(url);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}

/** Reads whether workers are to run the shards of a run, and lets them; null where none are asked for. */
export async function runOverWorkers(
  raw: RawWorkerOptions,
  io: Io,
  loadSettings: () => Promise<Settings>,
): Promise<ExitCode | null> {
  const reader = new FieldReader();
  const workers = readWorkers(raw, io.env, reader);
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  if (workers === null) return null;
  addSecrets(io.redactor, redisSecrets(workers.redisUrl), 'redis');
  const settings = await loadSettings();
  const { runShards } = await import('../../run/shardRun.ts');
  const { signal, release } = abortOnInterrupt(io);
  try {
    const { shards, exitCode, reportDir } = await runShards(settings, {
      ...workers,
      signal,
      root: io.folder,
      notice: (text) => io.stderr.write(`${io.redactor.redact(text)}\n`),
    });
    for (const { index, worker, result, exitCode: code } of shards) {
      const told =
        result === null
          ? 'done by nobody'
          : `${result.summary.verdict}, ${result.summary.failed} failed, ${result.summary.requests} requests`;
      io.stdout.write(`shard ${index}/${shards.length}  ${worker ?? '–'}  ${told} (exit ${code})\n`);
    }
    io.stdout.write(`\n  ${relative(io.folder, join(reportDir, 'shards'))}\n`);
    return exitCode;
  } finally {
    release();
  }
}
