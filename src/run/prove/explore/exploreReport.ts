import type { Defect } from '../../../reference/defects.ts';
import type { ExploreJob, ExploreResult } from './exploreJob.ts';

/** How many defects the explorer alone notices with how many requests, and what it leaves to the suites. */
export interface ExploreReport {
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

export function exploreReport({ jobs, results, defects, budgets }: Explored): ExploreReport {
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

export function renderExplore(report: ExploreReport): string {
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
