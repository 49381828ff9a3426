import { journeyCounts } from './arrivals.ts';
import type { OperationId } from '../core/operations.ts';
import type { Abort } from './abortWatch.ts';
import type { Accuracy } from './accuracy.ts';
import type { Capacity } from './capacity/capacity.ts';
import type { Compared } from './compareLoads.ts';
import type { Correctness } from './correctness.ts';
import { type Durations, type Percentiles } from './histogram.ts';
import type { ChangeBook } from './journeys/changeBook.ts';
import type { JourneySummary } from './journeys/journeyBook.ts';
import type { OwnHealth } from './ownHealth.ts';
import { stepMs, type JourneyEntry, type LoadPlan, type OwnShape, type Stage } from './plan.ts';
import type { Recorder, SampleKind } from './recorder.ts';
import type { ThresholdResult } from './thresholds.ts';

/** The results of a load, as stored in the result file. */
export interface LoadSummary {
  readonly mode: 'open' | 'saturation';
  readonly plan: {
    readonly seed: number;
    readonly ratePerSecond: number | null;
    readonly arrivals: LoadPlan['arrivals'] | null;
    readonly durationMs: number;
    readonly maxRequests: number;
    readonly mix: readonly { readonly operation: OperationId; readonly weight: number }[];
    readonly withinLimits: boolean;
    readonly keys: number;
    readonly workers: number;
    readonly connections: number | null;
    readonly stages?: readonly Stage[];
    readonly warmUpMs?: number;
    readonly journeys?: readonly JourneyEntry[];
    readonly ownShapes?: readonly OwnShape[];
  };
  /** Each planned request has exactly one of these outcomes; `sent` is the sum of `ok`, `refused` and `errors`. */
  readonly counts: {
    readonly planned: number;
    readonly sent: number;
    readonly ok: number;
    readonly refused: number;
    readonly errors: number;
    readonly missed: { readonly late: number; readonly inFlight: number; readonly limits: number };
    readonly lost: number;
    readonly unsent: number;
    /** Requests before the figures begin. */
    readonly warmUp?: number;
  };
  readonly elapsedMs: number;
  readonly okPerSecond: number;
  readonly sentPerSecond: number;
  /** From the intended time; without answers of the rate limiter. */
  readonly latency: Percentiles;
  readonly service: Percentiles;
  readonly lateness: Percentiles;
  readonly operations: readonly OperationSummary[];
  readonly stepMs: number;
  readonly steps: readonly StepSummary[];
  /** Latency by share of requests, for the plot: milliseconds at each of `shares`. */
  readonly curve: { readonly shares: readonly number[]; readonly ms: readonly number[] };
  readonly limiter: Accuracy | null;
  readonly callbacks: Percentiles | null;
  readonly thresholds: readonly ThresholdResult[];
  readonly workers: WorkersSummary | null;
  /** Processes that were lost; missing if none was. */
  readonly processes?: ProcessesSummary;
  /** Whether what was answered and delivered was correct. */
  readonly correctness?: Correctness;
  /** The threshold that stopped the load early. */
  readonly aborted?: Abort;
  /** The highest rate that is sustained, if it was searched for; the rest is about its last trial. */
  readonly capacity?: Capacity;
  readonly compared?: readonly Compared[];
  /** Resources that this process itself used. */
  readonly sender?: OwnHealth;
  readonly journeys?: readonly JourneySummary[];
  /** Changes that journeys caused, and how many webhooks of them came. */
  readonly changes?: ChangeBook['summary'];
}

interface OperationSummary {
  readonly operation: OperationId;
  readonly latency: Percentiles;
  readonly statuses: readonly {
    readonly status: string;
    readonly kind: SampleKind;
    readonly count: number;
    readonly latency: Percentiles;
    /** Raw: HDR histogram V2 of microseconds, compressed, base64. */
    readonly histogram: string;
    readonly example: string | null;
  }[];
}

interface StepSummary {
  readonly atMs: number;
  readonly sent: number;
  readonly ok: number;
  readonly refused: number;
  readonly errors: number;
  readonly missed: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How late the latest request in it was sent. */
  readonly lateMs?: number;
}

export interface WorkersSummary {
  readonly expected: number;
  /** Names of the workers that did a part, with the number of requests they sent. */
  readonly took: readonly { readonly worker: string; readonly slices: number; readonly sent: number }[];
  /** Number of parts that were taken over from a lost worker. */
  readonly takenOver: number;
  /** True if a part was never done. */
  readonly incomplete: boolean;
  /** Names of the workers whose last judgements did not arrive; missing if all did. */
  readonly unheard?: readonly string[];
}

/** The processes of this machine that sent a load, where some were lost. */
export interface ProcessesSummary {
  readonly expected: number;
  readonly lost: readonly {
    /** Its number, from 1. */
    readonly process: number;
    readonly why: string;
    /** Milliseconds from the start of the load. */
    readonly atMs: number;
    /** How many requests it may have sent since it last reported. */
    readonly unknown: number;
  }[];
}

interface SummaryInput {
  readonly plan: LoadPlan;
  readonly keys: number;
  readonly recorder: Recorder;
  /** Number of arrivals in the schedule. */
  readonly planned: number;
  /** Number of connections of a saturation; null for an open load. */
  readonly connections: number | null;
  readonly elapsedMs: number;
  readonly accuracy: Accuracy | null;
  readonly callbackDelays: Durations | null;
  readonly thresholds: readonly ThresholdResult[];
  readonly workers: WorkersSummary | null;
  readonly processes?: ProcessesSummary | null;
  /** Duration that the figures cover: without the warm-up. */
  readonly measuredMs?: number;
  readonly correctness?: Correctness;
  readonly aborted?: Abort | null;
  readonly journeys?: readonly JourneySummary[];
  /** Number of partners that started, including those of the warm-up. */
  readonly journeysBegun?: number;
  readonly changes?: ChangeBook['summary'];
  readonly sender?: OwnHealth | null;
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

function operationsOf(recorder: Recorder): readonly OperationSummary[] {
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

function stepsOf(recorder: Recorder, widthMs: number): readonly StepSummary[] {
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
