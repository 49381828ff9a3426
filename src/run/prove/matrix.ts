import { isBroken } from '../../judge/kernel/weight.ts';
import type { Defect } from '../../reference/defects.ts';
import type { ProofJob, JobResult } from './job.ts';

/**
 * The status of one defect. `killed`: its rows failed, and no others than it names. `unchecked`: no check verifies any of its
 * rows yet, so nothing could have found it.
 */
type DefectStatus = 'killed' | 'partly' | 'missed' | 'beyond' | 'unchecked' | 'fault';

export interface DefectRow {
  readonly id: string;
  readonly api: Defect['api'];
  readonly breaks: string;
  readonly conditional: boolean;
  readonly status: DefectStatus;
  readonly kills: readonly string[];
  /** Rows of `kills` that did not fail. */
  readonly missed: readonly string[];
  /** Those of them that are musts and only warned. */
  readonly warned: readonly string[];
  /** Why each row of `missed` did not fail. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Rows that failed and are neither in `kills` nor in `alsoFail`. */
  readonly beyond: readonly string[];
  /** Rows of `alsoFail` that did not fail. */
  readonly silent: readonly string[];
  /** Rows that the oracles alone saw broken, without the assertions of the checks. */
  readonly watched: readonly string[];
  /** The requirement that each cause starts with, the first to read first: best one, and one of `kills`. */
  readonly leads: readonly string[];
  readonly requests: number;
  readonly requestsToFirstFinding: number | null;
}

/** The result for one dialect: a conforming deployment, for which nothing may fail. */
export interface DialectRow {
  readonly id: string;
  readonly dialect: ProofJob['dialect'];
  readonly clean: boolean;
  /** `WCI-STS-001 fail: …`, for each row that failed, and each must that stayed inconclusive. */
  readonly wrong: readonly string[];
  /** Rows that warned: plausible readings that this dialect does not follow. */
  readonly warned: readonly string[];
  readonly requests: number;
}

export interface KillMatrix {
  readonly dialects: readonly DialectRow[];
  readonly defects: readonly DefectRow[];
  readonly requests: number;
  readonly cpuMs: number;
}

const failing: ReadonlySet<string> = new Set(['fail', 'warn']);

interface MatrixInput {
  readonly jobs: readonly ProofJob[];
  readonly results: readonly JobResult[];
  readonly defects: readonly Defect[];
  /** Rows of the catalogue that some check verifies. */
  readonly verified: ReadonlySet<string>;
  /** Those of which a check that sends something is one. */
  readonly sent: ReadonlySet<string>;
}

/** The result of a proof: whether every dialect is clean, and every defect is killed by its rows and no others. */
export function toMatrix({ jobs, results, defects, verified, sent }: MatrixInput): KillMatrix {
  const byJob = new Map(jobs.map((job) => [job.id, job]));
  const dialects: DialectRow[] = [];
  const rows: DefectRow[] = [];
  for (const result of results) {
    const job = byJob.get(result.job);
    const defect = defects.find(({ id }) => id === job?.defect);
    if (defect) rows.push(defectRow(defect, result, { verified, sent }));
    else if (job) dialects.push(dialectRow(job, result));
  }
  const sum = (pick: (result: JobResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0);
  return {
    dialects,
    defects: rows,
    requests: sum(({ requests }) => requests),
    cpuMs: sum(({ cpuMs }) => cpuMs),
  };
}

/** Whether the proof holds. Defects that are all unchecked prove nothing: an id is misspelt, or an oracle is not registered. */
export function isProved({ dialects, defects }: KillMatrix): boolean {
  const unkilled = defects.filter(({ status }) => status !== 'killed');
  return (
    dialects.every(({ clean }) => clean) &&
    unkilled.every(({ status }) => status === 'unchecked') &&
    (unkilled.length === 0 || unkilled.length < defects.length)
  );
}

function dialectRow(job: ProofJob, result: JobResult): DialectRow {
  const wrong = result.rows
    .filter(({ status, level }) => status === 'fail' || (status === 'inconclusive' && level === 'must'))
    .map(({ id, status, reason }) => `${id} ${status}: ${reason ?? ''}`);
  if (result.fault !== null) wrong.push(`fault: ${result.fault}`);
  const warned = result.rows.filter(({ status }) => status === 'warn').map(({ id }) => id);
  return {
    id: job.id,
    dialect: job.dialect,
    clean: wrong.length === 0,
    wrong,
    warned,
    requests: result.requests,
  };
}

/** The result of a run against a defect. */
interface Findings {
  /** Rows that break and that a check verifies. */
  readonly kills: readonly string[];
  readonly missed: readonly string[];
  readonly beyond: readonly string[];
  readonly fault: string | null;
}

function defectRow(
  defect: Defect,
  result: JobResult,
  { verified, sent }: Pick<MatrixInput, 'verified' | 'sent'>,
): DefectRow {
  const failed = result.rows.filter(({ status }) => failing.has(status)).map(({ id }) => id);
  const expected = new Set([...defect.kills, ...defect.alsoFail]);
  const kills = defect.kills.filter((id) => verified.has(id));
  const broken = new Set(result.rows.filter(isBroken).map(({ id }) => id));
  const missed = kills.filter((id) => !broken.has(id));
  const beyond = failed.filter((id) => !expected.has(id));
  return {
    id: defect.id,
    api: defect.api,
    breaks: defect.breaks,
    conditional: defect.conditional,
    status: statusOf({ kills, missed, beyond, fault: result.fault }),
    kills: defect.kills,
    missed,
    warned: missed.filter((id) => failed.includes(id)),
    reasons: Object.fromEntries(missed.map((id) => [id, whyMissed(id, result, sent)])),
    beyond,
    silent: defect.alsoFail.filter((id) => !failed.includes(id)),
    watched: result.watched,
    leads: result.leads,
    requests: result.requests,
    requestsToFirstFinding: result.requestsToFirstFinding,
  };
}

function whyMissed(id: string, { rows }: JobResult, sent: ReadonlySet<string>): string {
  const row = rows.find((one) => one.id === id);
  if (row?.status === 'warn') return 'merely warned';
  if (row?.status === 'pass')
    return row.samples === 1
      ? 'judged once, and it held'
      : `judged ${row.samples} times, and it held each time`;
  if (row) return [row.status, row.reason].filter(Boolean).join(': ');
  return sent.has(id)
    ? 'no request showed it'
    : 'no request showed it: no check names it, an oracle alone does';
}

function statusOf({ kills, missed, beyond, fault }: Findings): DefectStatus {
  if (fault !== null) return 'fault';
  if (kills.length === 0) return beyond.length > 0 ? 'beyond' : 'unchecked';
  if (missed.length === kills.length) return 'missed';
  if (missed.length > 0) return 'partly';
  return beyond.length > 0 ? 'beyond' : 'killed';
}
