import { Queue, QueueEvents, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';
import { settlesWithin } from '../../core/settlesWithin.ts';
import { sliceMs } from '../plan/arrivals.ts';
import type { Recorder } from '../send/recorder.ts';
import type { WorkersSummary } from '../summary/summarySchema.ts';
import { claimedCounts, partName, partSize } from './performPart.ts';
import {
  heldParts,
  keptSeconds,
  partLockMs,
  queueName,
  redisKeys,
  type LoadSetup,
  type PartJob,
  type PartResult,
  stretchesOf,
  present,
} from './messages.ts';
import type { RedisWatch } from './redis.ts';
import type { SharedClock } from './sharedClock.ts';

interface CoordinateOptions {
  readonly redis: Redis;
  readonly watch: RedisWatch;
  readonly setup: LoadSetup;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Called once with each result. */
  readonly onPart: (part: PartResult) => void;
}

/** How long before their time parts are offered: workers send what they hold even if Redis is lost. */
const offerMs = heldParts * sliceMs;
/** How long parts of lost workers and late answers may take after the end of a load. */
const graceMs = partLockMs + 20_000;
/** Workers that were silent for this long are lost; after an outage, Redis first has to hear from them again. */
const silentMs = 5000;
/** How long workers may take to report what they have after an interrupt. */
const stopMs = 3000;
/** How long it may take to leave nothing in Redis. */
const tidyMs = 3000;

/**
 * Offers all parts in time, merges the results, each part once, and reports who did what. If Redis is given up meanwhile, what the
 * workers have not handed in by then is lost.
 */
export async function coordinate(options: CoordinateOptions): Promise<WorkersSummary> {
  const { redis, watch, setup } = options;
  const queue = new Queue<PartJob, PartResult>(queueName, {
    connection: redis,
    streams: { events: { maxLen: 2000 } },
  });
  const events = new QueueEvents(queueName, { connection: redis.duplicate() });
  // Each awaited part adds a listener.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
  // Without a listener, a broken connection would end the process; both reconnect by themselves.
  queue.on('error', () => undefined);
  events.on('error', () => undefined);
  const parts = new Parts(options, queue, events);
  const tidy = async () => {
    await parts.withdraw();
    await redis.del(
      redisKeys.setup(setup.runId),
      redisKeys.claims(setup.runId),
      redisKeys.madeUp(setup.runId),
    );
    await events.close();
    await queue.close();
  };
  try {
    return await watch.orLost(distribute(parts, events, options));
  } catch (error) {
    if (!watch.isLost) throw error;
    return parts.lost();
  } finally {
    await settlesWithin(
      tidy().catch(() => undefined),
      watch.isLost ? 0 : tidyMs,
    );
  }
}

async function distribute(
  parts: Parts,
  events: QueueEvents,
  { redis, watch, setup, clock, sharedClock, signal }: CoordinateOptions,
): Promise<WorkersSummary> {
  await events.waitUntilReady();
  for (const slice of stretchesOf(setup.plan, setup.shares)) {
    const wait = setup.startAt + slice.fromMs - offerMs - sharedClock.now();
    if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
    if (signal.aborted || watch.isLost) break;
    await parts.offer(slice);
  }
  if (signal.aborted) await stopWorkers(redis, setup.runId);
  const deadline = signal.aborted ? stopMs : setup.startAt + setup.endMs + graceMs - sharedClock.now();
  await parts.settled(Math.max(stopMs, deadline));
  return parts.summary();
}

/** Tells workers to abort what they do for a load. */
async function stopWorkers(redis: Redis, runId: string): Promise<void> {
  await redis.set(redisKeys.stop(runId), '1', 'EX', keptSeconds);
  await redis.publish(redisKeys.stop(runId), '1');
}

interface OfferedPart {
  readonly job: Job<PartJob, PartResult>;
  readonly done: Promise<void>;
}

/** The offered parts and their results. */
class Parts {
  readonly #options: CoordinateOptions;
  readonly #queue: Queue<PartJob, PartResult>;
  readonly #events: QueueEvents;
  readonly #open = new Map<string, OfferedPart>();
  /** Parts without a result, once that is settled. */
  #left: readonly OfferedPart[] = [];
  readonly #took = new Map<string, { slices: number; sent: number }>();
  readonly #failures = new Set<string>();
  #takenOver = 0;
  #incomplete = false;

  constructor(options: CoordinateOptions, queue: Queue<PartJob, PartResult>, events: QueueEvents) {
    this.#options = options;
    this.#queue = queue;
    this.#events = events;
  }

  async offer(slice: PartJob['slice']): Promise<void> {
    const { setup } = this.#options;
    const parts = Array.from({ length: setup.shares }, (_, share) => ({ runId: setup.runId, slice, share }));
    const offered = parts.filter((part) => partSize(part, setup.shares) > 0);
    const jobs = await this.#queue.addBulk(
      offered.map((data) => ({
        name: 'load',
        data,
        opts: { jobId: `${setup.runId}.${partName(data)}`, removeOnFail: false },
      })),
    );
    for (const job of jobs) this.#open.set(partName(job.data), { job, done: this.#follow(job) });
  }

  /** Resolves once everything is done, the time is up, or no worker is left. */
  async settled(ms: number): Promise<void> {
    const { clock, redis, signal } = this.#options;
    const all = Promise.all([...this.#open.values()].map(({ done }) => done)).then(() => true);
    let until = clock.monotonic() + ms;
    let stopped = signal.aborted;
    let seenAt = clock.monotonic();
    while (clock.monotonic() < until) {
      if (await Promise.race([all, clock.sleep(250).then(() => false)])) return;
      if (signal.aborted && !stopped) {
        await stopWorkers(redis, this.#options.setup.runId);
        [stopped, until] = [true, clock.monotonic() + stopMs];
      }
      if ((await present(redis)).length > 0) seenAt = clock.monotonic();
      if (clock.monotonic() - seenAt > silentMs) return;
    }
  }

  /** A part without a result is lost as far as it was claimed, and the rest of it was never done. */
  async summary(): Promise<WorkersSummary> {
    const { setup, redis } = this.#options;
    if (this.#open.size === 0) return this.#told();
    const claimed = await claimedCounts(redis, setup.runId);
    return this.#without((part) => claimed.get(part) ?? 0);
  }

  /** Nobody can be asked what was claimed: all of a part without a result may have been sent. */
  lost(): WorkersSummary {
    const { setup } = this.#options;
    return this.#without((_part, job) => partSize(job.data, setup.shares));
  }

  #without(sentOf: (part: string, job: Job<PartJob, PartResult>) => number): WorkersSummary {
    const { recorder, signal } = this.#options;
    for (const [part, { job }] of this.#open) recorder.lose(sentOf(part, job));
    // Results that come later are not counted again.
    this.#left = [...this.#open.values()];
    this.#open.clear();
    this.#incomplete ||= !signal.aborted;
    return this.#told();
  }

  #told(): WorkersSummary {
    return {
      expected: this.#options.setup.shares,
      took: [...this.#took].map(([worker, { slices, sent }]) => ({ worker, slices, sent })),
      takenOver: this.#takenOver,
      incomplete: this.#incomplete,
    };
  }

  /** Leaves nothing in the queue that a worker might still take. */
  async withdraw(): Promise<void> {
    const left = [...this.#left, ...this.#open.values()];
    await Promise.all(left.map(({ job }) => job.remove().catch(() => undefined)));
  }

  async #follow(job: Job<PartJob, PartResult>): Promise<void> {
    try {
      const result = await job.waitUntilFinished(this.#events);
      // Removed from the list first: later messages about this part do not count again.
      if (this.#open.delete(partName(job.data))) this.#merge(result);
      await job.remove();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #merge(part: PartResult): void {
    const { recorder, onPart } = this.#options;
    const { worker, takenOver } = part;
    const before = recorder.sent;
    onPart(part);
    const took = this.#took.get(worker) ?? { slices: 0, sent: 0 };
    this.#took.set(worker, { slices: took.slices + 1, sent: took.sent + recorder.sent - before });
    if (takenOver) this.#takenOver += 1;
  }

  #fail(message: string): void {
    if (this.#options.signal.aborted) return;
    this.#incomplete = true;
    if (!this.#failures.has(message)) this.#options.notice(`A part of the load failed: ${message}`);
    this.#failures.add(message);
  }
}
