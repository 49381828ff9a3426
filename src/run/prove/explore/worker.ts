import { parentPort } from 'node:worker_threads';
import { readSuites } from '../../../engine/session/suites.ts';
import { runExploreJob, type ExploreJob } from './exploreJob.ts';

// One thread of the proof of the explorer: the oracles of the suites judge, and none of their checks runs.
const passive = (await readSuites()).filter(({ kind }) => kind === 'passive');
parentPort?.on('message', (job: ExploreJob) => {
  void runExploreJob(job, passive).then((result) => parentPort?.postMessage(result));
});
