import { parentPort, workerData } from 'node:worker_threads';
import { loadSuites } from '../../../engine/suites.ts';
import type { Template } from '../../../wire/templates.ts';
import { runMutant, type MutantJob } from './mutantJob.ts';
import { runVariation, type VariationJob } from './variationJob.ts';

// One thread of the wire proof: takes a job, judges, answers, takes the next. The suites are loaded only once.
const checks = await loadSuites();
const templates = (workerData ?? []) as readonly Template[];

parentPort?.on('message', (job: VariationJob | MutantJob) => {
  const running = job.kind === 'mutant' ? runMutant(job, checks, templates) : runVariation(job, checks);
  void running.then((result) => parentPort?.postMessage(result));
});
