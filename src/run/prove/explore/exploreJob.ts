import type { Api } from '../../../core/operations.ts';
import { explorerCheck, explorerReserve } from '../../../engine/session/explorer.ts';
import type { EngineCheck } from '../../../engine/suite.ts';
import { isBroken } from '../../../judge/kernel/weight.ts';
import { budgetFor } from '../../../plan/room.ts';
import type { Assignment } from '../coveringArray.ts';
import { judgeReference } from '../judgeReference.ts';
import { policyOfJob } from '../job.ts';
import type { SetUp } from '../setUp.ts';

/** One deployment to explore. Plain data, so that it can be sent to threads. */
export interface ExploreJob {
  readonly id: string;
  readonly dialect: Assignment;
  /** Id of the defect; null for a conforming deployment. */
  readonly defect: string | null;
  readonly seed: number;
  readonly setUp: SetUp;
  /** What is explored, each with all the requests. */
  readonly apis: readonly Api[];
  /** How many requests to explore with, the fewest first: more are only sent where fewer showed nothing. */
  readonly budgets: readonly number[];
}

/** What the oracles saw of it. */
export interface ExploreResult {
  readonly job: string;
  /** The smallest budget with which something was seen; null if nothing was. */
  readonly within: number | null;
  /** Rows that were seen broken, shoulds only where `isMust` is false. */
  readonly rows: readonly { readonly id: string; readonly isMust: boolean }[];
  readonly cpuMs: number;
  /** An error of Gatecheck that kept it from judging; null if it judged. */
  readonly fault: string | null;
}

/** Explores one deployment, without any suite. Never rejects: an error is part of the result. */
export async function runExploreJob(
  job: ExploreJob,
  passive: readonly EngineCheck[],
): Promise<ExploreResult> {
  const before = process.threadCpuUsage();
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    for (const requests of job.budgets) {
      const rows = await explored(job, requests, passive);
      if (rows.length > 0) return { job: job.id, within: requests, rows, cpuMs: cpuMs(), fault: null };
    }
    return { job: job.id, within: null, rows: [], cpuMs: cpuMs(), fault: null };
  } catch (error) {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { job: job.id, within: null, rows: [], cpuMs: cpuMs(), fault };
  }
}

/** Each defect is judged to the end of the run: what is broken is often known only then. */
async function explored(
  { dialect, defect, seed, setUp, apis }: ExploreJob,
  requests: number,
  passive: readonly EngineCheck[],
): Promise<ExploreResult['rows']> {
  const { verdicts } = await judgeReference({
    ...{ seed, setUp, apis },
    checks: [...passive, ...apis.map((api) => explorerCheck({ requests }, api))],
    policy: policyOfJob({ dialect, defect }),
    maxRequests: budgetFor(apis.length * (requests + explorerReserve)),
  });
  return [...verdicts].flatMap(([{ id, level }, { status }]) =>
    isBroken({ level, status }) ? [{ id, isMust: level === 'must' }] : [],
  );
}
