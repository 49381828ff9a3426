import { UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

interface ServeOptions<Task, Result> {
  /** Queue of BullMQ. */
  readonly queue: string;
  /** Tasks that are held at the same time, until they say that they need no attention any more. */
  readonly atOnce: number;
  /** While one is held, a further one is fetched after so long only, so that those who fetch get the same number. */
  readonly paceMs?: number;
  /** A lock that is not renewed for so long is that of a lost worker. */
  readonly lockMs?: number;
  readonly redis: Redis;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Does a task. Rejects where it cannot be done here; another worker may try. */
  readonly perform: (task: Task, hold: Hold) => Promise<Result>;
}

/** How a task is held. */
export interface Hold {
  /** Number of this attempt at it. */
  readonly attempt: number;
  /** It needs no attention any more: another may be fetched. */
  readonly onLaunched: () => void;
  /** Monotonic time until which nobody else gets it, whether or not Redis can be reached. */
  readonly heldUntil: () => number;
}

const shortestLockMs = 4000;
/** Locks are renewed so many times before they would run out. */
const renewals = 4;
const stalledMs = 1000;

/**
 * Takes tasks from BullMQ one by one, until it is stopped. Fetched by hand, since a part of a load stops counting once all
 * of it is sent: a slow target must not keep this worker from the next part.
 */
export async function serveJobs<Task, Result>(options: ServeOptions<Task, Result>): Promise<void> {
  const { redis, name, signal, notice, queue, atOnce, paceMs = 0, lockMs = shortestLockMs } = options;
  const worker = new Worker<Task, Result>(queue, null, {
    connection: redis.duplicate(),
    name,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: stalledMs,
    maxStalledCount: 5,
    drainDelay: 1,
  });
  // A broken connection is taken up again; meanwhile there is nothing else to do about it.
  worker.on('error', (error) => notice(`Redis: ${error.message}`));
  await worker.waitUntilReady();
  await worker.startStalledCheckTimer();
  const gate = new Gate(atOnce);
  const open = new Set<Promise<void>>();
  for (let turn = 0; !signal.aborted; turn += 1) {
    await gate.free(signal);
    if (open.size > 0 && paceMs > 0) await pause(paceMs);
    const token = `${name}:${turn}`;
    const askedAt = performance.now();
    const job = isAborted(signal) ? undefined : await worker.getNextJob(token);
    if (!job) continue;
    const done = handle(job, { token, askedAt, onLaunched: gate.enter() }, options).finally(() =>
      open.delete(done),
    );
    open.add(done);
  }
  await Promise.all(open);
  await worker.close();
}

interface Fetched {
  readonly token: string;
  readonly askedAt: number;
  readonly onLaunched: () => void;
}

async function handle<Task, Result>(
  job: Job<Task, Result>,
  { token, askedAt, onLaunched }: Fetched,
  { perform, notice, signal, lockMs = shortestLockMs }: ServeOptions<Task, Result>,
): Promise<void> {
  // By the time of asking: the lock itself begins later.
  let until = askedAt + lockMs;
  const renew = async () => {
    const at = performance.now();
    await job.extendLock(token, lockMs);
    until = Math.max(until, at + lockMs);
  };
  const renewal = setInterval(() => void renew().catch(() => undefined), lockMs / renewals);
  try {
    const hold = { attempt: job.attemptsStarted, onLaunched, heldUntil: () => until };
    const result = await perform(job.data, hold);
    await job.moveToCompleted(result, token, false);
  } catch (error) {
    // Broken off by its own stop, a task is left to another worker: its lock runs out.
    if (signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    notice(`Task ${job.id ?? ''}: ${message}`);
    // Where the lock is another's by now, there is nothing left to report.
    await job.moveToFailed(new UnrecoverableError(message), token, false).catch(() => undefined);
  } finally {
    clearInterval(renewal);
    onLaunched();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Lets in so many at a time. */
class Gate {
  readonly #most: number;
  #inside = 0;
  #wake: (() => void) | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  async free(signal: AbortSignal): Promise<void> {
    if (this.#inside < this.#most || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Returns the way out, which counts once. */
  enter(): () => void {
    this.#inside += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#inside -= 1;
      this.#wake?.();
    };
  }
}
