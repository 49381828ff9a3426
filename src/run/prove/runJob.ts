import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { CheckOutcome } from '../../engine/outcome.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { isBroken } from '../../judge/kernel/weight.ts';
import { judgeReference } from './judgeReference.ts';
import { policyOfJob, type ProofJob, type JobResult } from './job.ts';
import { checksFor, isShown } from './others.ts';

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
    .map(([{ id, level }, { status, reason }]) => ({ id, level, status, reason }))
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
