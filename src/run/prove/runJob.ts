import type { EngineCheck } from '../../engine/suite.ts';
import { judgeReference } from './judgeReference.ts';
import { policyOfJob, type ProofJob, type JobResult } from './job.ts';

/** Judges one deployment of the proof. Never rejects: an error is part of the result. */
export async function runJob(job: ProofJob, checks: readonly EngineCheck[]): Promise<JobResult> {
  const before = process.threadCpuUsage();
  try {
    const judged = await judgeReference({
      checks: job.withLimits ? checks : checks.filter(({ tags }) => !tags.includes('limits')),
      policy: policyOfJob(job),
      seed: job.seed,
      profile: job.profile,
      only: job.only,
      apis: job.apis,
      overHttp: job.overHttp,
      alone: job.alone,
      ...(job.maxRequests === null ? {} : { maxRequests: job.maxRequests }),
    });
    const rows = [...judged.verdicts].map(([{ id, level }, { status, reason }]) => ({
      id,
      level,
      status,
      reason,
    }));
    return {
      job: job.id,
      rows: rows.filter(({ status }) => status !== 'skipped'),
      requests: judged.requests,
      requestsToFirstFinding: judged.requestsToFirstFinding,
      tellers: judged.tellers,
      cpuMs: cpuSince(before),
      fault: null,
    };
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      job: job.id,
      rows: [],
      requests: 0,
      requestsToFirstFinding: null,
      tellers: [],
      cpuMs: cpuSince(before),
      fault,
    };
  }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
