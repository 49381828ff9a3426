import { hostname } from 'node:os';
import { systemClock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { noSink, openRun } from '../engine/openRun.ts';
import { hostsOf } from '../load/plan/loadOwnership.ts';
import {
  heldParts,
  keyId,
  partLockMs,
  queueName,
  shardLockMs,
  shardQueueName,
  workerVersion,
  type PartJob,
  type PartResult,
  type ShardJob,
  type ShardResult,
} from '../load/workers/messages.ts';
import { announce } from '../load/workers/presence.ts';
import { connectRedis } from '../load/workers/redis.ts';
import { RedisWatch } from '../load/workers/redisWatch.ts';
import { serveJobs } from '../load/workers/serveJobs.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { version } from '../version.ts';
import { planNotices } from './notices.ts';
import { performShard } from './shardWorker.ts';
import { WorkerLoads } from '../load/workers/workerLoads.ts';

interface LoadWorkerOptions {
  readonly redisUrl: string;
  readonly ownedHost: string | null;
  /** Its name in reports; null for the machine and the process. */
  readonly name: string | null;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly notice: (text: string) => void;
}

/** Sends parts of loads until it is stopped; parts already started are finished first. */
export async function runLoadWorker(settings: Settings, options: LoadWorkerOptions): Promise<void> {
  if (settings.target.kind !== 'url') {
    throw usageError(
      'WORKER_TARGET',
      '--target: expected the address of a running deployment, which all workers share; got none.',
      'Name the same target for the load and for all its workers.',
    );
  }
  const { signal, notice, redactor } = options;
  // A worker may live for weeks, and follows the clock of its machine.
  const ports = { clock: systemClock, signal, redactor, listener: planNotices(notice), openSink: noSink };
  await using run = await openRun(settings, ports);
  const redis = run.scope.use(await connectRedis(options.redisUrl), (one) => one.disconnect());
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const beyondLimits = mayGoBeyond(settings, options);
  const loads = run.scope.use(new WorkerLoads({ run, redis, name, beyondLimits }), (one) => one.close());
  const { baseUrls, keys } = run.target;
  const ids = [...keys.primary, ...keys.other].map(({ value }) => keyId(value));
  run.scope.defer(
    await announce(redis, {
      name,
      target: baseUrls,
      keys: ids,
      beyondLimits,
      version: workerVersion(version),
    }),
  );
  const count = `${keys.primary.length} key${keys.primary.length === 1 ? '' : 's'}`;
  notice(`worker ${name} · ${baseUrls.webcheckin} · ${count} · waiting for loads`);
  await serve({ loads, settings, redis, name, signal, notice });
}

interface Serving {
  readonly loads: WorkerLoads;
  readonly settings: Settings;
  readonly redis: Awaited<ReturnType<typeof connectRedis>>;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
}

/** Takes parts of loads and shards of runs until it is interrupted, even if Redis is gone by then; until then it waits for Redis. */
async function serve({ loads, settings, ...common }: Serving): Promise<void> {
  const { redis, name, signal, notice } = common;
  const watch = new RedisWatch(redis, { signal, notice, patienceMs: Number.POSITIVE_INFINITY });
  const serving = Promise.all([
    serveJobs<PartJob, PartResult>({
      ...common,
      queue: queueName,
      // One part being sent, and others waiting for their time; fetched one by one, so that they spread evenly over workers.
      ...{ atOnce: heldParts, paceMs: 200, lockMs: partLockMs },
      perform: (job, hold) => loads.perform(job, hold),
    }),
    serveJobs<ShardJob, ShardResult>({
      ...common,
      queue: shardQueueName,
      ...{ atOnce: 1, lockMs: shardLockMs },
      perform: (job) => performShard(job, settings, { name, redis, signal }),
    }),
  ]);
  await watch.orLost(serving).catch((error: unknown) => {
    if (!watch.isLost) throw error;
  });
  watch.stop();
}

/** Each worker checks by itself that a load is safe: access to Redis is not enough to lift that restriction. */
function mayGoBeyond(settings: Settings, { ownedHost }: LoadWorkerOptions): boolean {
  return ownershipOf(settings) !== 'foreign' || hostsOf(settings).every((host) => host === ownedHost);
}
