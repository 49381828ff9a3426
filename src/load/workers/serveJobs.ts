import { UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

interface ServeOptions<Task, Result> {
  /** Queue of BullMQ. */
  readonly queue: string;
  /** Tasks that are done at the same time, until they say that they need no attention any more. */
  readonly atOnce: number;
  readonly redis: Redis;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Does a task. Rejects where it cannot be done here; another worker may try. */
  readonly perform: (task: Task, attempt: number, onLaunched: () => void) => Promise<Result>;
}

/** A lock that is not renewed for so long is that of a lost worker. */
const lockMs = 4000;
const renewMs = 1000;
const stalledMs = 1000;
/**
 * Takes tasks from BullMQ one by one, until it is stopped. Fetched by hand, since a part of a load stops counting once all
 * of it is sent: a slow target must not keep this worker from the next part.
 */
export async function serveJobs<Task, Result>(options: ServeOptions<Task, Result>): Promise<void> {
  const { redis, name, signal, notice, queue, atOnce } = options;
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
    const token = `${name}:${turn}`;
    const job = isAborted(signal) ? undefined : await worker.getNextJob(token);
    if (!job) continue;
    const done = handle(job, { token, onLaunched: gate.enter() }, options).finally(() => open.delete(done));
    open.add(done);
  }
  await Promise.all(open);
  await worker.close();
}

async function handle<Task, Result>(
  job: Job<Task, Result>,
  { token, onLaunched }: { readonly token: string; readonly onLaunched: () => void },
  { perform, notice, signal }: ServeOptions<Task, Result>,
): Promise<void> {
  const renewal = setInterval(() => void job.extendLock(token, lockMs).catch(() => undefined), renewMs);
  try {
    const result = await perform(job.data, job.attemptsStarted, onLaunched);
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
