import type { Check, FixtureName } from '../../plan/check.ts';
import { withFixtures } from '../../plan/costs.ts';
import { familiarFlights } from '../../plan/familiarFlights.ts';
import type { PlannedCheck } from '../../plan/plan.ts';
import type { Defect } from '../../reference/defects.ts';
import type { ProofJob, JobResult } from './job.ts';

/** Weight of a newly verified requirement relative to a newly found defect. */
const requirementWeight = 0.03;

/**
 * If this many checks show something, but none of the first minute's requests does, it shows with time: no reason to prefer one
 * of them.
 */
const anyTraffic = 8;
const firstMinute = 60;

/**
 * The order in which checks show most per request: each time the one that finds the most new defects, and verifies the most new
 * requirements, for what it and its fixtures send.
 */
export function informativeOrder(
  rows: readonly FoundRow[],
  planned: readonly PlannedCheck[],
): readonly string[] {
  const finds = findsOf(rows);
  const left = planned.filter(({ check }) => check.kind !== 'passive' && !check.tags.includes('last-look'));
  const done = { found: new Set<string>(), verified: new Set<string>(), fixtures: new Set<FixtureName>() };
  const order: string[] = [];
  while (left.length > 0) {
    const worths = left.map((one) => worthOf(one, finds, done));
    const best = worths.indexOf(Math.max(...worths));
    const [chosen] = left.splice(best, 1);
    if (!chosen) break;
    order.push(chosen.check.id);
    note(chosen, finds, done);
  }
  return order;
}

type FoundRow = Pick<CurveRow, 'id' | 'tellers' | 'requests'>;

type Finds = ReadonlyMap<string, ReadonlySet<string>>;

interface Done {
  readonly found: Set<string>;
  readonly verified: Set<string>;
  readonly fixtures: Set<FixtureName>;
}

/** The defects that the traffic of each check and fixture shows. */
function findsOf(rows: readonly FoundRow[]): Finds {
  const finds = new Map<string, Set<string>>();
  for (const { id, tellers } of rows.filter((row) => !showsByTime(row)))
    for (const teller of tellers) finds.set(teller, (finds.get(teller) ?? new Set()).add(id));
  return finds;
}

function showsByTime({ tellers, requests }: FoundRow): boolean {
  return tellers.length >= anyTraffic && (requests ?? 0) > firstMinute;
}

function worthOf({ check, cost }: PlannedCheck, finds: Finds, done: Done): number {
  const fixtures = withFixtures(check, done.fixtures);
  const found = new Set(sourcesOf(check, fixtures).flatMap((name) => [...(finds.get(name) ?? [])]));
  const news = found.difference(done.found).size;
  const rules = new Set(check.verifies).difference(done.verified).size;
  return (news + rules * requirementWeight) / Math.max(1, cost.requests + requestsOf(fixtures));
}

/** No flight is named, so one has to be searched for. */
function requestsOf(fixtures: readonly FixtureName[]): number {
  return fixtures.reduce((sum, name) => sum + (name === 'known-flight' ? familiarFlights.length : 1), 0);
}

function note({ check }: PlannedCheck, finds: Finds, done: Done): void {
  const fixtures = withFixtures(check, done.fixtures);
  for (const name of sourcesOf(check, fixtures)) for (const id of finds.get(name) ?? []) done.found.add(id);
  for (const name of fixtures) done.fixtures.add(name);
  for (const id of check.verifies) done.verified.add(id);
}

function sourcesOf({ id }: Check, fixtures: readonly FixtureName[]): readonly string[] {
  return [id, ...fixtures.map((name) => `fixture.${name}`)];
}

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

interface CurveRow {
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
