import { UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

interface ServeOptions<Task, Result> {
  /** BullMQ queue. */
  readonly queue: string;
  /** Most tasks that are held at the same time, until they need no more attention. */
  readonly atOnce: number;
  /** Shortest time between fetching tasks while one is held, so that all workers get the same number. */
  readonly paceMs?: number;
  /** A lock that is not renewed for this long belongs to a lost worker. */
  readonly lockMs?: number;
  readonly redis: Redis;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Performs a task. Rejects if that is not possible here; another worker may try. */
  readonly perform: (task: Task, hold: Hold) => Promise<Result>;
}

/** How a task is held. */
export interface Hold {
  /** Number of this attempt. */
  readonly attempt: number;
  /** Called when it needs no more attention: another may be fetched. */
  readonly onLaunched: () => void;
  /** Monotonic time until which nobody else gets it, whether or not Redis can be reached. */
  readonly heldUntil: () => number;
}

const shortestLockMs = 4000;
/** How often a lock is renewed before it would expire. */
const renewals = 4;
const stalledMs = 1000;

/**
 * Takes tasks from BullMQ one by one, until it is stopped. Fetched manually, since a part of a load stops counting once all of
 * it is sent: a slow target must not keep this worker from the next part.
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
  // A broken connection is restored; meanwhile there is nothing else to do.
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
  // From the time of the request: the lock itself starts later.
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
    // If the worker is stopped, the task is left to another worker: its lock expires.
    if (signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    notice(`Task ${job.id ?? ''}: ${message}`);
    // If another worker has the lock by now, there is nothing to report.
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

/** Admits a limited number at a time. */
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

  /** Returns the function to leave, which counts once. */
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
