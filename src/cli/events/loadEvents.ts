import type { LiveFigures } from '../../load/summary/live.ts';
import type { RunResult } from '../../report/result.ts';
import type { LoadView } from '../../load/load.ts';
import type { CommandEvent } from './commandEvents.ts';

/** The event at the start of a load. */
export function loadStarted({ runId, target, plan, planned, keys }: LoadView): CommandEvent {
  const { seed, durationMs, ratePerSecond, withinLimits } = plan;
  return {
    name: 'load-started',
    runId,
    target,
    seed,
    planned,
    keys,
    durationMs,
    ratePerSecond,
    withinLimits,
  };
}

/** The current figures of a load. */
export function loadFigures(figures: LiveFigures): CommandEvent {
  const { elapsedMs, sent, ok, refused, errors, missed, lost, inFlight, broken } = figures;
  const { wantedPerSecond, sentPerSecond, p50Ms, p90Ms, p99Ms } = figures;
  return {
    ...{ name: 'load-figures', elapsedMs, sent, ok, refused, errors, missed, lost, inFlight },
    ...{ wantedPerSecond, sentPerSecond, p50Ms, p90Ms, p99Ms, broken },
  };
}

/** The results of a load. */
export function loadFinished({ summary, load }: RunResult): CommandEvent {
  const { sent = 0, ok = 0, refused = 0, errors = 0 } = load?.counts ?? {};
  return {
    ...{ name: 'load-finished', verdict: summary.verdict, reasons: [...(summary.reasons ?? [])] },
    ...{ sent, ok, refused, errors },
  };
}
