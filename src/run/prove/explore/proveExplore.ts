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

/** How many defects the explorer alone notices with how many requests, and what it leaves to the suites. */
interface ExploreReport {
  readonly defects: number;
  readonly within: readonly { readonly requests: number; readonly noticed: number }[];
  /** Where a row of `kills` or `also` is among those that were seen broken. */
  readonly rightly: number;
  readonly missed: readonly {
    readonly id: string;
    readonly area: string;
    readonly kills: readonly string[];
  }[];
  /** Musts that were seen broken in conforming deployments. */
  readonly alarms: readonly { readonly job: string; readonly rows: readonly string[] }[];
  readonly dialects: number;
  readonly faults: readonly { readonly job: string; readonly fault: string }[];
}

interface Explored {
  readonly jobs: readonly ExploreJob[];
  readonly results: readonly ExploreResult[];
  readonly defects: readonly Defect[];
  readonly budgets: readonly number[];
}

function exploreReport({ jobs, results, defects, budgets }: Explored): ExploreReport {
  const jobOf = new Map(jobs.map((job) => [job.id, job]));
  const rowOf = new Map(defects.map((defect) => [defect.id, defect]));
  const ofDefects = results.flatMap((result) => {
    const defect = rowOf.get(jobOf.get(result.job)?.defect ?? '');
    return defect ? [{ defect, result }] : [];
  });
  const conforming = results.filter(({ job }) => jobOf.get(job)?.defect === null);
  return {
    defects: ofDefects.length,
    within: budgets.map((requests) => ({
      requests,
      noticed: ofDefects.filter(({ result: { within } }) => within !== null && within <= requests).length,
    })),
    rightly: ofDefects.filter(({ defect: { kills, alsoFail }, result }) =>
      result.rows.some(({ id }) => kills.includes(id) || alsoFail.includes(id)),
    ).length,
    missed: ofDefects
      .filter(({ result: { within } }) => within === null)
      .map(({ defect: { id, kills } }) => ({ id, area: areaOf(kills), kills })),
    alarms: conforming.flatMap(({ job, rows }) => {
      const musts = rows.filter(({ isMust }) => isMust).map(({ id }) => id);
      return musts.length === 0 ? [] : [{ job, rows: musts }];
    }),
    dialects: conforming.length,
    faults: results.flatMap(({ job, fault }) => (fault === null ? [] : [{ job, fault }])),
  };
}

/** `WCI-CB` of `WCI-CB-001`. */
function areaOf([first = '']: readonly string[]): string {
  return first.split('-').slice(0, 2).join('-');
}

function renderExplore(report: ExploreReport): string {
  const { defects, within, rightly, missed, alarms, dialects, faults } = report;
  const share = (count: number) => `${defects === 0 ? 0 : Math.round((100 * count) / defects)} %`;
  const areas = [...Map.groupBy(missed, ({ area }) => area)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return [
    ...(defects === 0 ? [] : [`The explorer alone, of ${defects} seeded mistakes:`, '']),
    ...(defects === 0 ? [] : within).map(
      ({ requests, noticed }) =>
        `  ${String(requests).padStart(6)} requests  ${String(noticed).padStart(5)} noticed  ${share(noticed).padStart(5)}`,
    ),
    ...(defects === 0 ? [] : ['', `  ${rightly} with a row that the mistake breaks`]),
    ...(areas.length === 0 ? [] : ['', `Left to the suites, ${missed.length} by area:`, '']),
    ...areas.map(([area, rows]) => `  ${area}  ${rows.length}  ${rows.map(({ id }) => id).join(' ')}`),
    ...(dialects === 0
      ? []
      : ['', `Conforming deployments without a false alarm: ${dialects - alarms.length} of ${dialects}`]),
    ...alarms.map(({ job, rows }) => `  ${job}: ${rows.join(' ')}`),
    ...faults.map(({ job, fault }) => `  ${job} was not judged: ${fault.split('\n', 1)[0] ?? ''}`),
    '',
  ].join('\n');
}
