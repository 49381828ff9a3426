import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Settings } from '../core/settings.ts';
import { keyId, redisKeys, type ShardJob, type ShardResult } from '../load/workers/messages.ts';
import { reportFiles } from '../report/reportDir.ts';
import { run } from './run.ts';

/** Runs one shard with this machine's own settings and keys, and returns its result file. */
export async function performShard(
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
