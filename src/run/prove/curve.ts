import type { Defect } from '../../reference/defects.ts';
import type { ProofJob, JobResult } from './job.ts';

/** The number of defects found within a number of requests. */
interface CurvePoint {
  readonly requests: number;
  readonly found: number;
}

/** The share of the defects that a run has found by number of requests. */
export interface Curve {
  readonly defects: number;
  /** Number of defects of which the whole run finds something. */
  readonly found: number;
  /** The most requests that a run took. */
  readonly requests: number;
  readonly points: readonly CurvePoint[];
  readonly rows: readonly CurveRow[];
}

export interface CurveRow {
  readonly id: string;
  readonly api: Defect['api'];
  readonly requests: number | null;
  readonly tellers: readonly string[];
}

const marks = [10, 20, 30, 45, 60, 100, 150, 200, 300, 400, 600];

export function toCurve(
  jobs: readonly ProofJob[],
  results: readonly JobResult[],
  defects: readonly Defect[],
): Curve {
  const defectOf = new Map(jobs.map(({ id, defect }) => [id, defects.find((one) => one.id === defect)]));
  const rows = results.flatMap(({ job, requestsToFirstFinding: requests, tellers }): readonly CurveRow[] => {
    const defect = defectOf.get(job);
    return defect ? [{ id: defect.id, api: defect.api, requests, tellers }] : [];
  });
  const within = (most: number) =>
    rows.filter(({ requests }) => requests !== null && requests <= most).length;
  const longest = Math.max(0, ...results.map(({ requests }) => requests));
  return {
    defects: rows.length,
    found: within(Number.POSITIVE_INFINITY),
    requests: longest,
    points: marks.filter((most) => most < longest).map((most) => ({ requests: most, found: within(most) })),
    rows,
  };
}

/** The curve for a terminal. */
export function renderCurve({ defects, found, requests, points }: Curve): string {
  const share = (count: number, of: number) =>
    `${of === 0 ? 0 : Math.round((100 * count) / of)} %`.padStart(6);
  const row = (most: number, count: number) =>
    `  ${String(most).padStart(8)}  ${String(count).padStart(7)}  ${share(count, found)} of these  ${share(count, defects)} of all`;
  return [
    `With one key and no state handler, ${found} of ${defects} defects are found within ${requests} requests:`,
    '',
    '  requests  defects',
    ...points.map((point) => row(point.requests, point.found)),
    row(requests, found),
    '',
  ].join('\n');
}
