import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from './job.ts';

export interface RunJobsOptions {
  readonly onResult?: (result: JobResult, done: number) => void;
  readonly signal?: AbortSignal;
  /** Threads; as many as there are cores by default. */
  readonly threads?: number;
}

/** Judges all jobs, spread over threads. Results come in the order of the jobs; fewer when it is interrupted. */
export async function runJobs(
  jobs: readonly Job[],
  options: RunJobsOptions = {},
): Promise<readonly JobResult[]> {
  const queue = [...jobs];
  const results = new Map<string, JobResult>();
  const threads = Math.min(jobs.length, options.threads ?? availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => work(queue, results, options)));
  return jobs.flatMap((job) => results.get(job.id) ?? []);
}

async function work(queue: Job[], results: Map<string, JobResult>, options: RunJobsOptions): Promise<void> {
  const worker = new Worker(
    new URL(`./worker.${import.meta.filename.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
  );
  try {
    for (let job = queue.shift(); job && !options.signal?.aborted; job = queue.shift()) {
      const result = await ask(worker, job, options.signal);
      if (!result) return;
      results.set(job.id, result);
      options.onResult?.(result, results.size);
    }
  } finally {
    await worker.terminate();
  }
}

/** One job to a thread; null when it is interrupted. A thread that breaks down rejects. */
function ask(worker: Worker, job: Job, signal: AbortSignal | undefined): Promise<JobResult | null> {
  return new Promise((resolve, reject) => {
    const release = () => {
      worker.off('message', onMessage).off('error', onError);
      signal?.removeEventListener('abort', onAbort);
    };
    const onMessage = (result: JobResult) => {
      release();
      resolve(result);
    };
    const onError = (error: Error) => {
      release();
      reject(error);
    };
    const onAbort = () => {
      release();
      resolve(null);
    };
    worker.on('message', onMessage).on('error', onError);
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.postMessage(job);
  });
}
