import { exitCodes, type ExitCode } from '../../core/errors.ts';
import { addSecrets } from '../../settings/addSecrets.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { redisSecrets } from '../load/workers.ts';
import { loadSettings } from '../loadSettings.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import type { AddCommand } from '../command.ts';
import { valueOf } from '../../settings/environment.ts';
import { parseNonEmpty } from '../../settings/values/nonEmpty.ts';
import { parseRedisUrl } from '../../settings/values/redisUrl.ts';
import { addExamples } from './example.ts';

interface RawWorkerOptions {
  readonly redis?: string;
  readonly target?: string;
  readonly config?: string;
  readonly name?: string;
  readonly iOwnThisTarget?: string;
  readonly maxQuota?: string;
  readonly maxSubscriptions?: string;
}

/** `worker`: takes parts of loads that are driven over several processes or machines. */
export const addWorker: AddCommand = (command, io, finish) => {
  command
    .description(
      'take parts of loads and shards of runs over Redis (--workers of load and run), until stopped',
    )
    .option('--redis <url>', 'Redis of the loads (default: GATECHECK_REDIS)')
    .option('--target <url>', 'the deployment that is loaded; parts for others are refused')
    .option(
      '--config <file>',
      'config file (default: gatecheck.config.{ts,js,json,yaml}, found upward from here)',
    )
    .option('--name <name>', 'how reports call it (default: machine and process)')
    .option('--max-quota <n>', 'quota units that this worker spends at most (default: 0 where not local)')
    .option(
      '--max-subscriptions <n>',
      'flight subscriptions that it leaves at most (default: as --max-quota)',
    )
    .option('--i-own-this-target <host>', 'allows loads beyond the limits on a target that is not local');
  addExamples(
    command,
    'gatecheck worker --redis redis://redis.example.com:6379 --target https://qa.example.com',
  );
  command.action(async (raw: RawWorkerOptions) => finish(await work(raw, io)));
};

async function work(raw: RawWorkerOptions, io: Io): Promise<ExitCode> {
  const reader = new FieldReader();
  const redis = raw.redis ?? valueOf(io.env, 'GATECHECK_REDIS');
  const redisUrl = reader.read('--redis', redis, parseRedisUrl);
  const name = reader.read('--name', raw.name, parseNonEmpty) ?? null;
  if (redis === undefined)
    reader.refuse(
      '--redis',
      'expected the Redis that loads come by, such as redis://127.0.0.1:6379; got none',
    );
  if (reader.problems.length > 0 || redisUrl === undefined) throw problemsError(reader.problems);
  addSecrets(io.redactor, redisSecrets(redisUrl), 'redis');
  const settings = await loadSettings(raw, io);
  const { runLoadWorker } = await import('../../run/loadWorker.ts');
  const { signal, release } = abortOnInterrupt(io);
  try {
    await runLoadWorker(settings, {
      redisUrl,
      name,
      ownedHost: raw.iOwnThisTarget ?? null,
      signal,
      redactor: io.redactor,
      notice: (text) => io.stderr.write(`${io.redactor.redact(text)}\n`),
    });
  } finally {
    release();
  }
  return exitCodes.ok;
}
