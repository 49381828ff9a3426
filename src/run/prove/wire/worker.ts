import { parentPort } from 'node:worker_threads';
import { readSuites } from '../../../engine/session/suites.ts';
import { runVariation, type VariationJob } from './variationJob.ts';

// One thread of the wire proof: takes a job, judges, answers, takes the next. The suites are loaded only once.
const checks = await readSuites();
parentPort?.on('message', (job: VariationJob) => {
  void runVariation(job, checks).then((result) => parentPort?.postMessage(result));
});
