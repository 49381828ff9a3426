import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

interface Identified {
  readonly id: string;
}

interface RunJobsOptions<Job, Result> {
  /** Module of a thread in this folder, without its extension; by default that of the proof. */
  readonly worker?: string;
  /** Data that each thread gets when it starts. */
  readonly data?: unknown;
  readonly onResult?: (result: Result, done: number) => void;
  readonly signal?: AbortSignal;
  /** Threads; as many as there are cores by default. */
  readonly threads?: number;
  /** How long a job may take, and its result after that: its thread is ended. By default there is no limit. */
  readonly limit?: { readonly ms: number; readonly late: (job: Job) => Result };
}

/** Judges all jobs, spread over threads. Results come in the order of the jobs; there are fewer after an interrupt. */
export async function runJobs<Job extends Identified, Result>(
  jobs: readonly Job[],
  options: RunJobsOptions<Job, Result> = {},
): Promise<readonly Result[]> {
  const queue = [...jobs];
  const results = new Map<string, Result>();
  const threads = Math.min(jobs.length, options.threads ?? availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => work(queue, results, options)));
  return jobs.flatMap((job) => results.get(job.id) ?? []);
}

async function work<Job extends Identified, Result>(
  queue: Job[],
  results: Map<string, Result>,
  options: RunJobsOptions<Job, Result>,
): Promise<void> {
  let worker = startThread(options);
  try {
    for (let job = queue.shift(); job && !options.signal?.aborted; job = queue.shift()) {
      const answer = await ask<Job, Result>(worker, job, options);
      if (answer.kind === 'interrupted') return;
      if (answer.kind === 'late') {
        await worker.terminate();
        worker = startThread(options);
      }
      results.set(job.id, answer.result);
      options.onResult?.(answer.result, results.size);
    }
  } finally {
    await worker.terminate();
  }
}

function startThread({
  worker = 'worker',
  data,
}: Pick<RunJobsOptions<never, never>, 'worker' | 'data'>): Worker {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${worker}.${ending}`, import.meta.url), { workerData: data });
}

type Answer<Result> =
  { readonly kind: 'done' | 'late'; readonly result: Result } | { readonly kind: 'interrupted' };

/** Sends one job to a thread. Rejects if the thread crashes. */
function ask<Job, Result>(
  worker: Worker,
  job: Job,
  { signal, limit }: RunJobsOptions<Job, Result>,
): Promise<Answer<Result>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<Result>>();
  const onMessage = (result: Result) => resolve({ kind: 'done', result });
  const onAbort = () => resolve({ kind: 'interrupted' });
  const timer = limit && setTimeout(() => resolve({ kind: 'late', result: limit.late(job) }), limit.ms);
  worker.on('message', onMessage).on('error', reject);
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.postMessage(job);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', reject);
    signal?.removeEventListener('abort', onAbort);
  });
}
