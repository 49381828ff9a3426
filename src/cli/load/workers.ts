import { join, relative } from 'node:path';
import { headlineOf, headlineText } from '../../report/headline.ts';
import { plural } from '../../report/text/format.ts';
import type { RunOutput } from '../../run/run.ts';
import { replayLineFrom } from '../again.ts';
import type { ExitCode } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { importing } from '../../core/optionalPackage.ts';
import type { Settings } from '../../core/settings.ts';
import type { WorkerOptions } from '../../load/plan/loadOptions.ts';
import { passwordsOf, redisUrl } from '../../settings/secretForms.ts';
import { whole } from '../../settings/forms.ts';
import { problemsError } from '../../settings/problem.ts';
import { row, type ValuesOf } from '../../settings/row.ts';

/** Options to distribute a load or a run to workers. */
export function workersTable(what: string) {
  return {
    workers: row({
      form: whole(1, 1000),
      default: null,
      flag: '--workers <n>',
      help: `how many gatecheck workers ${what}, over Redis`,
      example: 4,
    }),
    redis: redisRow,
  };
}

/** The Redis over which workers and coordinators communicate. */
export const redisRow = row({
  form: redisUrl,
  default: null,
  flag: '--redis <url>',
  variable: 'GATECHECK_REDIS',
  secret: true,
  help: 'Redis of the workers',
  example: 'redis://127.0.0.1:6379',
});

/** The requested workers; null for none. */
export function workersOf({
  workers,
  redis,
}: ValuesOf<ReturnType<typeof workersTable>>): WorkerOptions | null {
  return workers === null ? null : { count: workers, redisUrl: redis ?? refuseNoRedis('the workers use') };
}

/** Throws: no Redis was given. */
export function refuseNoRedis(use: string): never {
  const fault = `expected the Redis that ${use}, such as redis://127.0.0.1:6379; got none`;
  throw problemsError([{ where: '--redis', fault }]);
}

/** The password of a Redis address is a secret, both as written and decoded. */
export function redisSecrets(url: string): readonly string[] {
  return passwordsOf(new URL(url));
}

/** Lets workers run the shards of a run, and prints the result of each. */
export async function runOverWorkers(
  workers: WorkerOptions,
  settings: Settings,
  { io, finish }: { readonly io: Io; readonly finish: (output: RunOutput) => Promise<void> },
): Promise<ExitCode> {
  const { runShards } = await importing('a run over workers', () => import('../../run/shardRun.ts'));
  const { signal, release } = abortOnInterrupt(io);
  try {
    const { shards, exitCode, reportDir, result } = await runShards(settings, {
      ...workers,
      signal,
      root: io.folder,
      notice: (text) => io.stderr.write(`${io.redactor.redact(text)}\n`),
      again: (line, dir) => replayLineFrom(io, line, dir),
    });
    for (const { index, worker, result: own, exitCode: code } of shards) {
      const outcome =
        own === null
          ? 'not done'
          : `${headlineText(headlineOf(own))}, ${plural(own.summary.requests, 'request')}`;
      io.stdout.write(`shard ${index}/${shards.length}  ${worker ?? '–'}  ${outcome} (exit ${code})\n`);
    }
    io.stdout.write(`\n  ${relative(io.folder, join(reportDir, 'shards'))}\n`);
    if (result !== null) await finish({ result, exitCode, reportDir, notKept: null });
    return exitCode;
  } finally {
    release();
  }
}
