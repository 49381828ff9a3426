import { Job, type Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { systemClock } from '../core/clock.ts';
import { shardLockMs, type ShardJob, type ShardResult } from '../load/workers/messages.ts';
import { present } from '../load/workers/presence.ts';

interface Wait {
  readonly redis: Redis;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** How often a shard is looked at. */
const lookMs = 500;
/** Workers that nobody has heard of for this long are lost. */
const silentMs = 10_000;

/**
 * The result of an offered shard; rejects if it failed, if no worker is left, or at an interrupt. Redis is asked again and again,
 * since an event that got lost would be waited for without end.
 */
export async function shardResult(
  queue: Queue<ShardJob, ShardResult>,
  id: string,
  { redis, signal, say }: Wait,
): Promise<ShardResult> {
  let [seenAt, tries] = [systemClock.monotonic(), 1];
  for (;;) {
    const job = await Job.fromId<ShardJob, ShardResult>(queue, id);
    if (!job) throw new Error('Redis no longer knows it');
    if (job.finishedOn !== undefined && job.failedReason) throw new Error(job.failedReason);
    if (job.finishedOn !== undefined) return job.returnvalue;
    if (job.attemptsStarted > tries) {
      say(`its worker was silent for ${shardLockMs / 1000} s; another one runs it anew.`);
      tries = job.attemptsStarted;
    }
    if ((await present(redis)).length > 0) seenAt = systemClock.monotonic();
    if (systemClock.monotonic() - seenAt > silentMs) throw new Error('no worker is left');
    await systemClock.sleep(lookMs, signal);
  }
}
