import { Job, type Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { systemClock } from '../core/clock.ts';
import {
  keptSeconds,
  redisKeys,
  shardLockMs,
  type ShardJob,
  type ShardResult,
  present,
} from '../load/workers/messages.ts';

interface Wait {
  readonly redis: Redis;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** How often a shard is looked at. */
const lookMs = 500;
/** Workers that nobody has heard of for this long are lost. */
const silentMs = 10_000;
/** How long the worker of a shard may take to hand in what it has after an interrupt. */
const stopMs = 10_000;

/**
 * The result of an offered shard; rejects if it failed, or if no worker is left. After an interrupt it is what the shard was stopped
 * with. Redis is asked again and again, since an event that got lost would be waited for without end.
 */
export async function shardResult(
  queue: Queue<ShardJob, ShardResult>,
  id: string,
  { redis, signal, say }: Wait,
): Promise<ShardResult> {
  let [seenAt, tries] = [systemClock.monotonic(), 1];
  let stoppedAt: number | null = null;
  for (;;) {
    const job = await Job.fromId<ShardJob, ShardResult>(queue, id);
    if (!job) throw new Error('Redis no longer knows it');
    if (job.attemptsStarted > tries) {
      say(`its worker was silent for ${shardLockMs / 1000} s; another one runs it anew.`);
      tries = job.attemptsStarted;
    }
    if (job.finishedOn !== undefined && job.failedReason) throw new Error(job.failedReason);
    if (job.finishedOn !== undefined) return job.returnvalue;
    const now = systemClock.monotonic();
    if ((await present(redis)).length > 0) seenAt = now;
    if (now - seenAt > silentMs) throw new Error('no worker is left');
    if (signal.aborted && stoppedAt === null) {
      stoppedAt = now;
      await stopShard(redis, job);
    }
    if (stoppedAt !== null && now - stoppedAt > stopMs) throw new Error('its worker did not stop in time');
    await systemClock.sleep(lookMs);
  }
}

/** Takes a shard back that nobody has begun, and tells the worker of one that has begun to stop. */
async function stopShard(redis: Redis, job: Job<ShardJob, ShardResult>): Promise<void> {
  await redis.set(redisKeys.stop(job.data.runId), '1', 'EX', keptSeconds);
  await job.remove().catch(() => undefined);
}
