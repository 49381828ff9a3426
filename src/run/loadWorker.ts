import { hostname, tmpdir } from 'node:os';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { systemClock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { noSink, openRun } from '../engine/session/openRun.ts';
import { hostsOf } from '../load/plan/loadOwnership.ts';
import {
  heldParts,
  keyId,
  partLockMs,
  queueName,
  shardLockMs,
  shardQueueName,
  workerVersion,
  redisKeys,
  type PartJob,
  type PartResult,
  type ShardJob,
  type ShardResult,
  announce,
} from '../load/workers/messages.ts';
import { connectRedis, RedisWatch } from '../load/workers/redis.ts';
import { serveJobs } from '../load/workers/serveJobs.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { version } from '../version.ts';
import { planNotices } from './notices.ts';
import { WorkerLoads } from '../load/workers/workerLoads.ts';
import { reportFiles } from '../report/reportDir.ts';
import { run } from './run.ts';

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

/** Runs one shard with this machine's own settings and keys, and returns its result file. */
async function performShard(
  job: ShardJob,
  settings: Settings,
  { name, redis, signal }: { readonly name: string; readonly redis: Redis; readonly signal: AbortSignal },
): Promise<ShardResult> {
  const folder = await mkdtemp(join(tmpdir(), 'gatecheck-shard-'));
  using stop = stopOf(job.runId, redis);
  try {
    const { exitCode } = await run(settingsFor(job, settings, join(folder, 'out')), {
      signal: AbortSignal.any([signal, stop.signal]),
      root: folder,
      command: `gatecheck run --shard ${job.shard.index}/${job.shard.total}`,
    });
    // An interrupted shard is released: another worker takes it.
    signal.throwIfAborted();
    return {
      worker: name,
      exitCode,
      result: await readFile(join(folder, 'out', reportFiles.result), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How often a worker asks whether a run was interrupted. */
const lookMs = 1000;

/** Aborts once the run is interrupted; what was done by then is handed in. */
function stopOf(runId: string, redis: Redis): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const look = async () => {
    if ((await redis.exists(redisKeys.stop(runId))) > 0) stop.abort(new Error('the run was interrupted'));
  };
  const timer = setInterval(() => void look().catch(() => undefined), lookMs);
  return { signal: stop.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

function settingsFor(job: ShardJob, settings: Settings, reportDir: string): Settings {
  const { target } = settings;
  if (target.kind !== 'url' || JSON.stringify(target.baseUrls) !== JSON.stringify(job.target))
    throw new Error('this worker is for another target');
  const budgets = { ...job.selection.budgets };
  return {
    ...settings,
    ...job.selection,
    // This worker's own options limit what it sends and spends.
    readOnly: settings.readOnly || job.selection.readOnly,
    share: Math.min(settings.share, job.selection.share),
    budgets: {
      ...budgets,
      maxQuota: least(budgets.maxQuota, settings.budgets.maxQuota),
      maxSubscriptions: least(budgets.maxSubscriptions, settings.budgets.maxSubscriptions),
    },
    keys: {
      ...settings.keys,
      primary: chosen(settings.keys.primary, job.keys.primary),
      other: chosen(settings.keys.other, job.keys.other),
    },
    shard: job.shard,
    reportDir,
    baseline: null,
  };
}

function least(asked: number | null, granted: number | null): number | null {
  return asked === null || granted === null ? (asked ?? granted) : Math.min(asked, granted);
}

function chosen(own: readonly string[], wanted: readonly string[]): readonly string[] {
  const keys = own.filter((key) => wanted.includes(keyId(key)));
  if (keys.length === wanted.length) return keys;
  throw new Error('this worker lacks keys of the shard: set the same GATECHECK_KEYS_… as for the run');
}
