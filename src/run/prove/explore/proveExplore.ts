import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, type ExitCode } from '../../../core/errors.ts';
import { abortOnInterrupt } from '../../../core/interrupt.ts';
import type { Io } from '../../../core/io.ts';
import type { Api } from '../../../core/operations.ts';
import type { Defect } from '../../../reference/defects.ts';
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

/** The deployments of the proof; conforming ones get the largest budget at once. */
function exploreJobs(settings: ProofSettings, budgets: readonly number[]): readonly ExploreJob[] {
  const most = Math.max(...budgets);
  const apiOf = new Map(settings.defects.map(({ id, api }) => [id, api]));
  return jobsOf(settings).map(({ id, dialect, defect, seed, setUp }) => ({
    ...{ id, dialect, defect, seed, setUp },
    apis: explored(defect === null ? null : (apiOf.get(defect) ?? null), settings.apis),
    budgets: defect === null ? [most] : budgets,
  }));
}

/** A mistake is sought where it is made; one that both APIs share, in the first of them. */
function explored(api: Defect['api'] | null, apis: readonly Api[]): readonly Api[] {
  if (api === null) return apis;
  return api === 'shared' ? apis.slice(0, 1) : [api];
}
