import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { arrivalsOf, sliceMs, type Arrival } from '../arrivals.ts';
import { drive, type Lease } from '../drive.ts';
import { leasesInTurn } from '../leases.ts';
import { missAfterMs, stepMs } from '../plan.ts';
import { Recorder } from '../recorder.ts';
import type { Sender } from '../sender.ts';
import { Claim, nextMadeUp } from './claims.ts';
import type { LoadSetup, PartJob } from './messages.ts';
import type { SharedBudget } from './sharedBudget.ts';
import type { SharedClock } from './sharedClock.ts';

interface PartOptions {
  readonly setup: LoadSetup;
  readonly job: PartJob;
  /** Number of this attempt at the part; higher ones win. */
  readonly attempt: number;
  /** In the order of the set-up. */
  readonly keys: readonly ApiKey[];
  readonly redis: Redis;
  readonly budget: SharedBudget;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly signal: AbortSignal;
  readonly senderFor: (recorder: Recorder) => Sender;
  /** All is sent, and another part may be sent beside what is still to be answered. */
  readonly onLaunched: () => void;
}

interface PerformedPart {
  readonly recorder: Recorder;
  /** Another worker had begun it, and was lost. */
  readonly takenOver: boolean;
}

/** Sends one part of a load at its time, or what a lost worker left of it after the end of the load. */
export async function performPart(options: PartOptions): Promise<PerformedPart> {
  const { setup, job, redis, clock, sharedClock, keys, signal } = options;
  const recorder = new Recorder(stepMs(setup.plan), setup.plan.warmUpMs);
  const part = partName(job);
  const claim = new Claim(redis, { runId: setup.runId, part, attempt: options.attempt });
  const before = await claim.take(0);
  const takenOver = options.attempt > 1;
  if (before < 0) return { recorder, takenOver };
  // What the lost worker had claimed it may have sent, and its answers are lost with it.
  recorder.lose(before);
  const rest = sharesOf(setup, job).slice(before);
  const shiftMs = takenOver ? await shiftBehindEnd(options) : 0;
  let claimed = before;
  const sender = options.senderFor(recorder);
  await drive(
    rest.map((arrival) => ({ ...arrival, atMs: arrival.atMs + shiftMs })),
    {
      clock,
      startAt: sharedClock.toMonotonic(setup.startAt),
      maxInFlight: setup.maxInFlight,
      missAfterMs,
      signal,
      lease: async (chunk) => {
        claimed += chunk.length;
        if ((await claim.take(claimed)) < 0) return [];
        return setup.plan.withinLimits ? leaseShared(options, chunk) : leasesInTurn(keys)(chunk);
      },
      send: (lease, intended) => sender.send(lease, intended),
      miss: (arrival, reason) => recorder.miss(arrival.atMs, reason),
      onLaunched: options.onLaunched,
    },
  );
  return { recorder, takenOver };
}

export function partName({ slice, share }: PartJob): string {
  return `${slice.index}-${share}`;
}

/** How many arrivals a part has. */
export function partSize({ slice, share }: PartJob, shares: number): number {
  return Math.floor((slice.count - share - 1) / shares) + 1;
}

function sharesOf({ plan, shares }: LoadSetup, { slice, share }: PartJob): readonly Arrival[] {
  return [...arrivalsOf(plan, slice)].filter((_arrival, place) => place % shares === share);
}

/** A part whose time has passed gets a place behind the end, as many side by side as there are shares: the rate stays. */
async function shiftBehindEnd({ setup, job, redis, sharedClock }: PartOptions): Promise<number> {
  const sinceStart = sharedClock.now() - setup.startAt;
  if (sinceStart < job.slice.fromMs) return 0;
  const place = await nextMadeUp(redis, setup.runId);
  const at = setup.endMs + Math.floor(place / setup.shares) * sliceMs;
  return Math.max(at, sinceStart + 200) - job.slice.fromMs;
}

async function leaseShared(
  { budget, keys, setup, job, attempt }: PartOptions,
  chunk: readonly Arrival[],
): Promise<readonly Lease[]> {
  const first = chunk[0]?.index ?? 0;
  const name = `${setup.runId}/${partName(job)}/${attempt}/${first}`;
  const places = await budget.take(chunk.length, first, name);
  return chunk.map((arrival, index) => {
    const place = places[index] ?? -1;
    return {
      arrival,
      key: keys[place] ?? null,
      // If this is lost on the way, the slot stays taken for longer, which does no harm.
      done: () =>
        void (place < 0 ? undefined : budget.done(place, `${name}:${index}`).catch(() => undefined)),
    };
  });
}
