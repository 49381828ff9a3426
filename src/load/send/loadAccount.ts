import { type Abort } from './abortWatch.ts';
import { LimiterAccuracy } from '../judge/limiterAccuracy.ts';
import { slicesOf } from '../plan/arrivals.ts';
import { Durations } from '../summary/histogram.ts';
import type { JourneyTotals } from '../journeys/journeyTotals.ts';
import { stepMs } from '../plan/plan.ts';
import { Recorder } from './recorder.ts';
import { summarize } from '../summary/summary.ts';
import type { LoadSummary, OwnHealth, ProcessesSummary, WorkersSummary } from '../summary/summarySchema.ts';
import { judgeThreshold } from '../summary/thresholds.ts';
import { windowLimits } from '../../send/keyWindow.ts';
import type { Load, LoadView } from '../load.ts';
import { type Probe } from './callbackProbe.ts';

/** Delays of the callbacks for the probe's changes and for those of journeys. */
export function delaysOf({ journeys }: Load, probe: Probe | null): Durations | null {
  if (probe === null && journeys.changes.counts.caused === 0) return null;
  const all = new Durations();
  if (probe !== null) all.add(probe.delays);
  all.add(journeys.delays);
  return all;
}

/** The recorder of a load: it judges the limiter while the load runs, and stores no request. */
export function recorderOf({ plan, run }: Pick<Load, 'plan' | 'run'>): LoadRecorder {
  const accuracy = new LimiterAccuracy(windowLimits(run.settings.limits));
  return Object.assign(new Recorder(stepMs(plan), plan.warmUpMs, accuracy), { accuracy });
}

export type LoadRecorder = Recorder & { readonly accuracy: LimiterAccuracy };

/** The result of sending a plan once. */
export interface Driven {
  readonly elapsedMs: number;
  readonly workers: WorkersSummary | null;
  /** Processes of this machine that were lost; null if none was. */
  readonly processes: ProcessesSummary | null;
  /** The threshold that stopped it; null if it was completed. */
  readonly aborted: Abort | null;
  /** The resources that this process used; null if others sent. */
  readonly sender: OwnHealth | null;
}

/** For a load that did not start. */
export const notDriven: Driven = {
  elapsedMs: 0,
  workers: null,
  processes: null,
  aborted: null,
  sender: null,
};

/** A saturation plans nothing: it sends as much as possible. */
function plannedOf({ plan, options }: Load): number {
  return options.saturate ? 0 : slicesOf(plan).reduce((sum, { count }) => sum + count, 0);
}

function connectionsOf({ options }: Load): number | null {
  return options.saturate ? options.connections : null;
}

/** What observers of a load see. */
export function viewOf(
  load: Load,
  recorder: Recorder,
  startedAt: number,
): Omit<LoadView, 'journeys' | 'callbacks'> {
  const { run, plan, keys, judge, options } = load;
  return {
    broken: () => judge.brokenCount,
    ...{ runId: run.id, plan, planned: plannedOf(load), recorder, startedAt },
    target: run.target.baseUrls[run.settings.apis[0] ?? 'webcheckin'],
    connections: connectionsOf(load),
    keys: keys.length,
    thresholds: options.thresholds,
  };
}

/** Sums up a load that has ended, for whatever reason. */
export function summaryOf(
  load: Load,
  recorder: LoadRecorder,
  { elapsedMs, workers, processes, aborted, sender, callbackDelays, book }: Driven & Seen,
): LoadSummary {
  const { plan, keys, options, judge } = load;
  const measuredMs = Math.max(elapsedMs - (plan.warmUpMs ?? 0), 1);
  const seen = { recorder, callbackDelays, journeys: book.measured, seconds: measuredMs / 1000 };
  const judged = options.thresholds.map((threshold) => judgeThreshold(threshold, seen));
  return summarize({
    ...{ plan, keys: keys.length, recorder, elapsedMs, measuredMs, callbackDelays, workers, aborted, sender },
    processes,
    planned: options.saturate ? recorder.sent : plannedOf(load),
    connections: connectionsOf(load),
    accuracy: recorder.accuracy.summary,
    // The threshold that stopped the load was not met, whatever the rest shows.
    thresholds: judged.map((one) => (one.threshold === aborted?.threshold ? { ...one, met: false } : one)),
    correctness: judge.correctness,
    journeys: book.summaries,
    journeysBegun: book.begun,
    changes: load.journeys.changes.summary,
  });
}

interface Seen {
  readonly callbackDelays: Durations | null;
  readonly book: JourneyTotals;
}
