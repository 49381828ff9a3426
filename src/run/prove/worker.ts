import { parentPort } from 'node:worker_threads';
import { readSuites } from '../../engine/session/suites.ts';
import type { ProofJob } from './job.ts';
import { runJob } from './runJob.ts';

// One thread of the proof: takes a job, judges, answers, takes the next. The suites are loaded only once.
const checks = await readSuites();
parentPort?.on('message', (job: ProofJob) => {
  void runJob(job, checks).then((result) => parentPort?.postMessage(result));
});
