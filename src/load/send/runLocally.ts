import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Pacer } from '../../send/pacer.ts';
import { arrivalsOf, slicesOf, type Arrival } from '../plan/arrivals.ts';
import { drive } from './drive.ts';
import { leasesInTurn, leasesWithinLimits } from './leases.ts';
import type { JourneyRunner } from '../journeys/journeyRunner.ts';
import { missAfterMs, type LoadPlan } from '../plan/plan.ts';
import type { Recorder } from './recorder.ts';
import type { Sender } from './sender.ts';

interface LocalOptions {
  readonly plan: LoadPlan;
  readonly keys: readonly ApiKey[];
  readonly pacer: Pacer;
  readonly sender: Sender;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maxInFlight: number;
  readonly onStart: (startedAt: number) => void;
  /** Runs the journeys; null if the plan has none. */
  readonly runner: JourneyRunner | null;
  /** How much longer partners may take to finish. */
  readonly moreGraceMs?: number;
}

/** Time to get ready, so that the first requests are not late already. */
const headStartMs = 200;

/** How long partners may take to finish after the last start. */
const journeyGraceMs = 60_000;

/**
 * Runs a whole load in this process; resolves to the time that it took. The last request has its interval as well, although its
 * answer comes sooner: otherwise n requests would seem to be sent at n/(n-1) of their rate.
 */
export async function runLocally(options: LocalOptions): Promise<number> {
  const { plan, keys, pacer, sender, recorder, clock, signal, maxInFlight, onStart, runner } = options;
  const startAt = clock.monotonic() + headStartMs;
  onStart(startAt);
  await drive(allArrivals(plan), {
    clock,
    startAt,
    maxInFlight,
    missAfterMs,
    signal,
    lease: plan.withinLimits ? leasesWithinLimits(keys, pacer) : leasesInTurn(keys),
    send: async (lease, intended) => {
      if (lease.arrival.journey === undefined) return sender.send(lease, intended);
      if (runner?.begin(lease.arrival, lease.key, intended) !== true)
        recorder.miss(lease.arrival.atMs, 'in-flight');
    },
    miss: (arrival, reason) => recorder.miss(arrival.atMs, reason),
  });
  await runner?.landed(journeyGraceMs + (options.moreGraceMs ?? 0));
  if (signal.aborted) await sender.cutOff(clock);
  runner?.breakOff();
  const elapsedMs = Math.max(0, clock.monotonic() - startAt);
  return signal.aborted || isCutShort(plan) ? elapsedMs : Math.max(elapsedMs, plan.durationMs);
}

/** Whether the budget ends it before its time. */
function isCutShort(plan: LoadPlan): boolean {
  return slicesOf(plan).reduce((sum, { count }) => sum + count, 0) >= plan.maxRequests;
}

function* allArrivals(plan: LoadPlan): Generator<Arrival> {
  for (const slice of slicesOf(plan)) yield* arrivalsOf(plan, slice);
}
