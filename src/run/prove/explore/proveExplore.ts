import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, type ExitCode } from '../../../core/errors.ts';
import { abortOnInterrupt } from '../../../core/interrupt.ts';
import type { Io } from '../../../core/io.ts';
import { writeText } from '../../../report/writeWhole.ts';
import { jobsOf } from '../jobs.ts';
import type { ProofSettings } from '../proofSettings.ts';
import { runJobs } from '../runJobs.ts';
import type { ExploreJob, ExploreResult } from './exploreJob.ts';
import { exploreReport, renderExplore } from './exploreReport.ts';

/** Explores every deployment of the proof without any suite, and says what the explorer notices alone. */
export async function proveExplore(
  settings: ProofSettings,
  budgets: readonly number[],
  { dir, io }: { readonly dir: string; readonly io: Io },
): Promise<ExitCode> {
  await mkdir(dir, { recursive: true });
  const jobs = exploreJobs(settings, budgets);
  const { signal, release } = abortOnInterrupt(io);
  const results = await runJobs<ExploreResult>(jobs, {
    ...{ signal, worker: 'explore/worker' },
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} deployments explored\n`);
    },
  });
  release();
  const report = exploreReport({ jobs, results, defects: settings.defects, budgets });
  await writeText(join(dir, 'explore.json'), `${JSON.stringify({ report, results }, null, 2)}\n`);
  io.stdout.write(renderExplore(report));
  io.stdout.write(`  ${relative(io.folder, join(dir, 'explore.json'))}\n`);
  if (results.length < jobs.length) return exitCodes.interrupted;
  return report.alarms.length + report.faults.length === 0 ? exitCodes.ok : exitCodes.gateNotMet;
}

/** The deployments of the proof. Web check-in alone is explored so far; conforming ones get the largest budget at once. */
function exploreJobs(settings: ProofSettings, budgets: readonly number[]): readonly ExploreJob[] {
  const most = Math.max(...budgets);
  const isExplored = new Set(
    settings.defects.filter(({ api }) => api !== 'flight-alerts').map(({ id }) => id),
  );
  return jobsOf(settings)
    .filter(({ defect }) => defect === null || isExplored.has(defect))
    .map(({ id, dialect, defect, seed, setUp }) => ({
      ...{ id, dialect, defect, seed, setUp },
      budgets: defect === null ? [most] : budgets,
    }));
}
