import { journeyCounts } from '../plan/arrivals.ts';
import type { Durations } from './histogram.ts';
import { stepMs, type LoadPlan } from '../plan/plan.ts';
import type { Recorder } from '../send/recorder.ts';
import type { LoadSummary, ProcessesSummary } from './summarySchema.ts';

/** What a summary is made of; parts that it takes over have its types. */
interface SummaryInput extends Pick<
  LoadSummary,
  'elapsedMs' | 'thresholds' | 'workers' | 'journeys' | 'changes' | 'correctness'
> {
  readonly plan: LoadPlan;
  readonly keys: number;
  readonly recorder: Recorder;
  /** Number of arrivals in the schedule. */
  readonly planned: number;
  /** Number of connections of a saturation; null for an open load. */
  readonly connections: number | null;
  readonly accuracy: LoadSummary['limiter'];
  readonly callbackDelays: Durations | null;
  readonly processes?: ProcessesSummary | null;
  /** Duration that the figures cover: without the warm-up. */
  readonly measuredMs?: number;
  readonly aborted?: LoadSummary['aborted'] | null;
  /** Number of partners that started, including those of the warm-up. */
  readonly journeysBegun?: number;
  readonly sender?: LoadSummary['sender'] | null;
}

const curveShares = [1, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 100] as const;

/** Summarizes what was recorded. */
export function summarize(input: SummaryInput): LoadSummary {
  const { plan, recorder, elapsedMs, measuredMs = elapsedMs } = input;
  const latency = recorder.latency(null);
  const seconds = Math.max(measuredMs, 1) / 1000;
  const isOpen = input.connections === null;
  return {
    mode: isOpen ? 'open' : 'saturation',
    plan: {
      ...plan,
      ratePerSecond: isOpen ? plan.ratePerSecond : null,
      arrivals: isOpen ? plan.arrivals : null,
      withinLimits: isOpen && plan.withinLimits,
      keys: input.keys,
      workers: input.workers?.expected ?? 0,
      connections: input.connections,
    },
    counts: countsOf(input),
    elapsedMs,
    okPerSecond: recorder.counts.ok / seconds,
    sentPerSecond: recorder.sent / seconds,
    latency: latency.percentiles,
    service: recorder.service.percentiles,
    lateness: recorder.lateness.percentiles,
    operations: operationsOf(recorder),
    stepMs: stepMs(plan),
    steps: stepsOf(recorder, stepMs(plan)),
    curve: { shares: curveShares, ms: latency.curve(curveShares) },
    limiter: input.accuracy,
    callbacks: input.callbackDelays?.percentiles ?? null,
    thresholds: input.thresholds,
    workers: input.workers,
    ...optionalParts(input),
  };
}

function countsOf(input: SummaryInput): LoadSummary['counts'] {
  const { recorder } = input;
  const { ok, refused, error } = recorder.counts;
  const taken = recorder.sent + recorder.missedCount + recorder.lost + recorder.warmUp;
  const unsent = unsentOf(input, taken);
  return {
    planned: input.plan.journeys === undefined ? input.planned : taken + unsent,
    sent: recorder.sent,
    ok,
    refused,
    errors: error,
    missed: {
      late: recorder.missed.late,
      inFlight: recorder.missed['in-flight'],
      limits: recorder.missed.limits,
    },
    lost: recorder.lost,
    unsent,
    ...(recorder.warmUp > 0 ? { warmUp: recorder.warmUp } : {}),
  };
}

/** What only some loads have. */
function optionalParts(input: SummaryInput): Partial<LoadSummary> {
  return {
    ...(input.correctness ? { correctness: input.correctness } : {}),
    ...(input.journeys && input.journeys.length > 0 ? { journeys: input.journeys } : {}),
    ...(input.changes && input.changes.caused > 0 ? { changes: input.changes } : {}),
    ...(input.sender ? { sender: input.sender } : {}),
    ...(input.processes ? { processes: input.processes } : {}),
    ...(input.aborted ? { aborted: input.aborted } : {}),
  };
}

/**
 * After an interrupt or a loss, the rest of the schedule is not sent. Requests of journeys are not planned one by one: for them,
 * the journeys count that never started.
 */
function unsentOf({ planned, plan, recorder, journeysBegun = 0 }: SummaryInput, taken: number): number {
  if (plan.journeys === undefined) return Math.max(0, planned - taken);
  const journeys = [...journeyCounts(plan).values()].reduce((sum, count) => sum + count, 0);
  return Math.max(0, journeys - journeysBegun - recorder.missedCount);
}

function operationsOf(recorder: Recorder): LoadSummary['operations'] {
  const groups = Map.groupBy(recorder.statuses.values(), ({ operation }) => operation);
  return [...groups].map(([operation, records]) => ({
    operation,
    latency: recorder.latency(operation).percentiles,
    statuses: records
      .toSorted((one, other) => one.status.localeCompare(other.status))
      .map(({ status, kind, latency, example }) => ({
        status,
        kind,
        count: latency.count,
        latency: latency.percentiles,
        histogram: latency.encode(),
        example,
      })),
  }));
}

/** The course of a load so far, step by step. */
export function stepsOf(recorder: Recorder, widthMs: number): LoadSummary['steps'] {
  return [...recorder.steps]
    .sort(([one], [other]) => one - other)
    .map(([index, { latency, lateMs, ...counts }]) => {
      const [p50Ms = 0, p95Ms = 0, p99Ms = 0, maxMs = 0] = latency.curve([50, 95, 99, 100]);
      return {
        atMs: index * widthMs,
        ...counts,
        p50Ms,
        p95Ms,
        p99Ms,
        maxMs,
        ...(lateMs > 0 ? { lateMs } : {}),
      };
    });
}
