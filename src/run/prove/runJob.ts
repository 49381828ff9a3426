import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { CheckOutcome } from '../../engine/findings/outcome.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { isBroken } from '../../judge/kernel/weight.ts';
import { judgeReference } from './judgeReference.ts';
import { policyOfJob, type ProofJob, type JobResult } from './job.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import { defects } from '../../reference/defects.ts';
import { lastLook } from '../../engine/session/order.ts';

/** Judges one deployment of the proof. Never rejects: an error is part of the result. */
export async function runJob(job: ProofJob, checks: readonly EngineCheck[]): Promise<JobResult> {
  const before = process.threadCpuUsage();
  try {
    const among = checksFor(job, checks);
    const some = among && (await judgeJob(job, { checks, among }));
    const found = some && isShown(job, some) ? some : await judgeJob(job, { checks });
    return { job: job.id, ...found, cpuMs: cpuSince(before), fault: null };
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const nothing = {
      rows: [],
      requests: 0,
      requestsToFirstFinding: null,
      watched: [],
      tellers: [],
      leads: [],
    };
    return { job: job.id, ...nothing, cpuMs: cpuSince(before), fault };
  }
}

interface Chosen {
  readonly checks: readonly EngineCheck[];
  readonly among?: ReadonlySet<string>;
}

async function judgeJob(
  job: ProofJob,
  { checks, among }: Chosen,
): Promise<Omit<JobResult, 'job' | 'cpuMs' | 'fault'>> {
  const { seed, profile, only, apis, overHttp, setUp, maxRequests } = job;
  const judged = await judgeReference({
    ...{ seed, profile, only, apis, overHttp, setUp },
    checks: job.withLimits ? checks : checks.filter(({ tags }) => !tags.includes('limits')),
    policy: policyOfJob(job),
    // A conforming deployment is to be blamed by nothing that a run does; a defect is for the checks to find.
    explores: job.defect === null,
    ...(among && { among }),
    ...(maxRequests === null ? {} : { maxRequests }),
  });
  const { requests, requestsToFirstFinding, tellers, leads, outcomes } = judged;
  const rows = [...judged.verdicts]
    .map(([{ id, level }, { status, reason, samples }]) => ({ id, level, status, reason, samples }))
    .filter(({ status }) => status !== 'skipped');
  return { rows, watched: watchedIn(outcomes, checks), requests, requestsToFirstFinding, tellers, leads };
}

function watchedIn(outcomes: readonly CheckOutcome[], checks: readonly EngineCheck[]): readonly string[] {
  const passive = new Set(checks.filter(({ kind }) => kind === 'passive').map(({ id }) => id));
  const verdicts = outcomes.filter(({ check }) => passive.has(check)).flatMap((one) => [...one.verdicts]);
  return verdicts.flatMap(([id, { status }]) =>
    isBroken({ level: loadCatalogue().get(id).level, status }) ? [id] : [],
  );
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The checks to begin with for a defect where a share of the others suffices: those that verify a row that it breaks, those with which every run ends,
 * and the share, drawn by `draw`. Undefined where all are to run.
 */
export function checksFor(
  { defect, others, draw }: Pick<ProofJob, 'defect' | 'others' | 'draw'>,
  checks: readonly EngineCheck[],
): ReadonlySet<string> | undefined {
  const row = defects.find(({ id }) => id === defect);
  if (row === undefined || others >= 1) return undefined;
  const broken = new Set([...row.kills, ...row.alsoFail]);
  const chosen = checks.filter(
    ({ id, verifies, tags }) =>
      verifies.some((verified) => broken.has(verified)) ||
      tags.includes(lastLook) ||
      createRandom(deriveSeed(draw, id))() < others,
  );
  return new Set(chosen.map(({ id }) => id));
}

/** Whether all rows that a defect kills are broken in a result. */
export function isShown({ defect }: Pick<ProofJob, 'defect'>, { rows }: Pick<JobResult, 'rows'>): boolean {
  const broken = new Set(rows.filter(isBroken).map(({ id }) => id));
  return defects.find(({ id }) => id === defect)?.kills.every((id) => broken.has(id)) ?? false;
}
