import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { systemClock } from '../core/clock.ts';
import { exitCodes, usageError, type ExitCode } from '../core/errors.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import { settlesWithin } from '../core/settlesWithin.ts';
import { awaitWorkers } from '../load/workers/awaitWorkers.ts';
import {
  workerVersion,
  keyId,
  shardQueueName,
  type ShardJob,
  type ShardResult,
} from '../load/workers/messages.ts';
import { connectRedis, RedisWatch } from '../load/workers/redis.ts';
import { budgetsOf } from '../plan/budgets.ts';
import type { MergeGates } from '../report/mergeGate.ts';
import { mergeResults, withCommands } from '../report/mergeResults.ts';
import { prepareReportDir, reportFiles } from '../report/reportDir.ts';
import { heldReportDir } from '../report/reportHold.ts';
import { resultSchema, type RunResult } from '../report/result.ts';
import { writeReports } from '../report/writeReports.ts';
import { writeText } from '../report/writeWhole.ts';
import { version } from '../version.ts';
import { knownFailures, withKnown } from './knownFailures.ts';
import { shardResult } from './shardResult.ts';

interface ShardRunOptions {
  readonly count: number;
  readonly redisUrl: string;
  readonly signal: AbortSignal;
  readonly root: string;
  readonly notice: (text: string) => void;
  /** The command that sends a finding of a shard again from the joined result. */
  readonly again: (command: string, reportDir: string) => string;
}

interface ShardOutcome {
  readonly index: number;
  /** Null if no worker ran it. */
  readonly worker: string | null;
  readonly exitCode: ExitCode;
  readonly result: RunResult | null;
}

interface ShardRunOutput {
  readonly shards: readonly ShardOutcome[];
  readonly exitCode: ExitCode;
  readonly reportDir: string;
  /** What the shards found together; null if none was done. */
  readonly result: RunResult | null;
}

/**
 * Lets workers run the shards of a run, each with its own keys, so that no two of them share a budget. If a worker is lost,
 * another one runs its shard anew; each shard counts once, and all results are merged into one report.
 */
export async function runShards(settings: Settings, options: ShardRunOptions): Promise<ShardRunOutput> {
  const { count, redisUrl, signal, root, notice } = options;
  const jobs = jobsOf(settings, count, newRunId(systemClock));
  const gates = await gatesOf(settings);
  const redis = await connectRedis(redisUrl);
  const watch = new RedisWatch(redis, { signal, notice });
  const queue = new Queue<ShardJob, ShardResult>(shardQueueName, { connection: redis });
  // Broken connections are restored.
  queue.on('error', () => undefined);
  try {
    const [first] = jobs;
    const labels = [...settings.keys.primary, ...settings.keys.other];
    const gathering = awaitWorkers(
      redis,
      {
        count,
        target: first?.target ?? { webcheckin: '', 'flight-alerts': '' },
        keys: labels.map((key, index) => ({ id: keyId(key), label: `key ${index + 1}` })),
        beyondLimits: false,
        version: workerVersion(version),
        waitMs: 60_000,
      },
      { clock: systemClock, signal, notice },
    );
    await watch.orLost(gathering);
    const reportDir = await prepareReportDir(settings.reportDir, first?.runId ?? '', root);
    using _held = heldReportDir(reportDir);
    const here = { redis, queue, watch, signal, notice };
    const shards = await Promise.all(
      jobs.map(async (job) => keep(job, await resultOf(job, here), reportDir)),
    );
    return { shards, reportDir, ...(await merge(shards, reportDir, { ...options, gates, settings })) };
  } finally {
    watch.stop();
    await settlesWithin(
      queue.close().catch(() => undefined),
      tidyMs,
    );
    redis.disconnect();
  }
}

/** Shards are judged without gates: these are about all of them. */
async function gatesOf(settings: Settings): Promise<MergeGates> {
  const { minMust, strict, require, baseline } = settings;
  const known = baseline === null ? {} : { baseline: await knownFailures(settings) };
  return { minMust, strict, require, ...known };
}

/** How long it may take to take leave of Redis. */
const tidyMs = 2000;

interface Offering extends Pick<ShardRunOptions, 'signal' | 'notice'> {
  readonly redis: Redis;
  readonly queue: Queue<ShardJob, ShardResult>;
  readonly watch: RedisWatch;
}

/** Offers a shard and waits for its result; null if there is none. */
async function resultOf(
  job: ShardJob,
  { redis, queue, watch, signal, notice }: Offering,
): Promise<ShardResult | null> {
  const say = (text: string) => notice(`Shard ${job.shard.index}: ${text}`);
  const id = `${job.runId}.${job.shard.index}`;
  const offer = async () => {
    const offered = await queue.add('shard', job, { jobId: id });
    const done = await shardResult(queue, offered.id ?? '', { redis, signal, say }).catch(
      (error: unknown) => {
        if (!signal.aborted) say(error instanceof Error ? error.message : String(error));
        return null;
      },
    );
    await offered.remove().catch(() => undefined);
    return done;
  };
  return watch.orLost(offer()).catch((error: unknown) => {
    if (!watch.isLost) throw error;
    return null;
  });
}

/** Keys are dealt out in turn: a key used by two shards would have two budgets. */
function jobsOf(settings: Settings, total: number, runId: string): readonly ShardJob[] {
  const { target, keys, apis, profile, seed, only, readOnly, fresh, share, openPoints } = settings;
  if (target.kind !== 'url') {
    throw usageError(
      'SHARD_TARGET',
      '--workers: expected --target, a deployment that all workers reach; got none.',
    );
  }
  for (const [role, held] of [
    ['PRIMARY', keys.primary],
    ['OTHER', keys.other],
  ] as const) {
    const isNeeded = role === 'PRIMARY' || held.length > 0;
    if (!isNeeded || held.length >= total) continue;
    throw usageError(
      'SHARD_KEYS',
      `--workers: expected at most ${held.length}, since each needs a key of GATECHECK_KEYS_${role} for itself; got ${total}.`,
      'Name more keys, or use fewer workers. Nothing was sent.',
    );
  }
  const budgets = budgetsOf(settings);
  const part = (most: number) => Math.floor(most / total);
  return Array.from({ length: total }, (_, index) => ({
    runId,
    shard: { index: index + 1, total },
    target: target.baseUrls,
    selection: {
      ...{ apis, profile, seed, only, readOnly, fresh, share, openPoints },
      budgets: {
        maxRequests: part(budgets.maxRequests),
        maxQuota: part(budgets.maxQuota),
        maxSubscriptions: part(budgets.maxSubscriptions),
        maxDurationMs: settings.budgets.maxDurationMs,
      },
    },
    keys: { primary: dealt(keys.primary, index, total), other: dealt(keys.other, index, total) },
  }));
}

function dealt(keys: readonly string[], index: number, total: number): readonly string[] {
  return keys.filter((_key, place) => place % total === index).map(keyId);
}

async function keep(job: ShardJob, done: ShardResult | null, reportDir: string): Promise<ShardOutcome> {
  const { index } = job.shard;
  if (done === null) return { index, worker: null, exitCode: exitCodes.inconclusive, result: null };
  const folder = join(reportDir, 'shards', String(index));
  await mkdir(folder, { recursive: true });
  await writeText(join(folder, reportFiles.result), done.result);
  const result = resultSchema.parse(JSON.parse(done.result));
  return { index, worker: done.worker, exitCode: done.exitCode as ExitCode, result };
}

interface Merging extends ShardRunOptions {
  readonly gates: MergeGates;
  readonly settings: Settings;
}

/** Writes the reports of all shards together; an error in a shard outweighs its findings. */
async function merge(
  shards: readonly ShardOutcome[],
  reportDir: string,
  { signal: { aborted: interrupted }, again, gates, settings }: Merging,
): Promise<Pick<ShardRunOutput, 'exitCode' | 'result'>> {
  const results = shards.flatMap(({ result }) => result ?? []);
  if (results.length === 0)
    return { exitCode: interrupted ? exitCodes.interrupted : worst(shards), result: null };
  const build = (baseline: MergeGates['baseline']) => {
    const joined = mergeResults(results, { ...gates, ...(baseline && { baseline }), interrupted });
    const result = withCommands(joined, ({ reproduce }) => again(reproduce.command, reportDir));
    return { result, exitCode: result.summary.exitCode ?? exitCodes.ok };
  };
  const { baseline } = gates;
  const { result: merged } = baseline ? await withKnown(settings, baseline, build) : build(undefined);
  await writeReports(merged, reportDir);
  const undone = shards.filter(({ result }) => result === null);
  const exitCode = worst([...undone, { exitCode: merged.summary.exitCode as ExitCode }]);
  return { exitCode: interrupted ? exitCodes.interrupted : exitCode, result: merged };
}

/** The worst exit code, by precedence. */
function worst(shards: readonly Pick<ShardOutcome, 'exitCode'>[]): ExitCode {
  const order = [
    exitCodes.usage,
    exitCodes.internal,
    exitCodes.interrupted,
    exitCodes.gateNotMet,
    exitCodes.inconclusive,
  ];
  return order.find((code) => shards.some(({ exitCode }) => exitCode === code)) ?? exitCodes.ok;
}
