import type { Durations } from './histogram.ts';
import type { JourneyTotals } from '../journeys/journeyTotals.ts';
import type { LoadPlan, Stage } from '../plan/plan.ts';
import { stepMs } from '../plan/plan.ts';
import type { Recorder } from '../send/recorder.ts';
import { RateCurve, stagesOf } from '../plan/shape.ts';
import { stepsOf } from './summary.ts';
import type { LoadSummary } from './summarySchema.ts';

/** A running load, as far as its figures depend on it. */
export interface LiveView {
  readonly plan: LoadPlan;
  readonly planned: number;
  readonly recorder: Recorder;
  readonly journeys: JourneyTotals;
  /** Delays of callbacks so far; null if none are expected. */
  readonly callbacks: () => Durations | null;
  /** Number of rules that were broken so far. */
  readonly broken: () => number;
  /** Monotonic start time. */
  readonly startedAt: number;
}

/** The current figures, for a screen, a page or a metrics collector. */
export interface LiveFigures {
  readonly elapsedMs: number;
  readonly durationMs: number;
  /** The current stage, counted from 1, and the number of stages. */
  readonly stage: number;
  readonly stages: number;
  /** Requests per second that are planned now, and that were sent in the last whole step. */
  readonly wantedPerSecond: number;
  readonly sentPerSecond: number;
  readonly sent: number;
  readonly planned: number;
  readonly ok: number;
  readonly refused: number;
  readonly errors: number;
  readonly missed: number;
  readonly lost: number;
  readonly inFlight: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  /** Median of the last whole step. */
  readonly recentP50Ms: number;
  readonly recentP99Ms: number;
  readonly callbacks: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number } | null;
  readonly journeys: readonly {
    readonly journey: string;
    readonly begun: number;
    readonly done: number;
    readonly failed: number;
  }[];
  readonly broken: number;
}

/** Computes the current figures; stores nothing. */
export function liveFigures(view: LiveView, now: number): LiveFigures {
  const { plan, recorder, planned, journeys } = view;
  const elapsedMs = Math.max(0, now - view.startedAt);
  const stages = stagesOf(plan);
  const width = stepMs(plan);
  // The current step is not complete yet.
  const recent = recorder.steps.get(Math.floor(elapsedMs / width) - 1);
  const latency = recorder.latency(null);
  const { ok, refused, error } = recorder.counts;
  const delays = view.callbacks();
  return {
    ...{ elapsedMs, durationMs: plan.durationMs, planned, ok, refused },
    ...{ stage: stageAt(stages, elapsedMs), stages: stages.length },
    wantedPerSecond: new RateCurve(stages).rateAt(elapsedMs),
    sentPerSecond: ((recent?.sent ?? 0) * 1000) / width,
    ...{ sent: recorder.sent, errors: error, missed: recorder.missedCount, lost: recorder.lost },
    inFlight: recorder.inFlight,
    ...{ p50Ms: latency.percentile(50), p90Ms: latency.percentile(90), p99Ms: latency.percentile(99) },
    recentP50Ms: recent?.latency.percentile(50) ?? 0,
    recentP99Ms: recent?.latency.percentile(99) ?? 0,
    callbacks:
      delays === null
        ? null
        : { count: delays.count, p50Ms: delays.percentile(50), p99Ms: delays.percentile(99) },
    journeys: journeys.summaries.map(({ journey, begun, done, failed }) => ({
      journey,
      begun,
      done,
      failed,
    })),
    broken: view.broken(),
  };
}

/** The whole steps so far, of which a load has at most 120. */
export function liveSteps({ plan, recorder, startedAt }: LiveView, now: number): LoadSummary['steps'] {
  const width = stepMs(plan);
  return stepsOf(recorder, width).filter(({ atMs }) => atMs + width <= now - startedAt);
}

function stageAt(stages: readonly Stage[], ms: number): number {
  let end = 0;
  const index = stages.findIndex(({ durationMs }) => ms < (end += durationMs));
  return index < 0 ? stages.length : index + 1;
}
