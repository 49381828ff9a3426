import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

interface Identified {
  readonly id: string;
}

interface RunJobsOptions<Result> {
  /** Module of a thread in this folder, without its extension; by default that of the proof. */
  readonly worker?: string;
  readonly onResult?: (result: Result, done: number) => void;
  readonly signal?: AbortSignal;
  /** Threads; as many as there are cores by default. */
  readonly threads?: number;
}

/** Judges all jobs, spread over threads. Results come in the order of the jobs; there are fewer after an interrupt. */
export async function runJobs<Result>(
  jobs: readonly Identified[],
  options: RunJobsOptions<Result> = {},
): Promise<readonly Result[]> {
  const queue = [...jobs];
  const results = new Map<string, Result>();
  const threads = Math.min(jobs.length, options.threads ?? availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => work(queue, results, options)));
  return jobs.flatMap((job) => results.get(job.id) ?? []);
}

async function work<Result>(
  queue: Identified[],
  results: Map<string, Result>,
  options: RunJobsOptions<Result>,
): Promise<void> {
  const worker = startThread(options.worker);
  try {
    for (let job = queue.shift(); job && !options.signal?.aborted; job = queue.shift()) {
      const answer = await ask<Result>(worker, job, options.signal);
      if (answer === 'interrupted') return;
      results.set(job.id, answer.result);
      options.onResult?.(answer.result, results.size);
    }
  } finally {
    await worker.terminate();
  }
}

function startThread(module = 'worker'): Worker {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  return new Worker(new URL(`./${module}.${ending}`, import.meta.url));
}

type Answer<Result> = { readonly result: Result } | 'interrupted';

/** Sends one job to a thread. Rejects if the thread crashes. */
function ask<Result>(worker: Worker, job: Identified, signal?: AbortSignal): Promise<Answer<Result>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<Result>>();
  const onMessage = (result: Result) => resolve({ result });
  const onAbort = () => resolve('interrupted');
  worker.on('message', onMessage).on('error', reject);
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.postMessage(job);
  return promise.finally(() => {
    worker.off('message', onMessage).off('error', reject);
    signal?.removeEventListener('abort', onAbort);
  });
}
