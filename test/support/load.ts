import type { Clock } from '../../src/core/clock.ts';
import { VirtualClock } from '../../src/core/virtualClock.ts';
import type { ApiKey } from '../../src/send/keyRing.ts';
import type { Arrival } from '../../src/load/plan/arrivals.ts';
import { drive, type DriveOptions, type MissReason } from '../../src/load/send/drive.ts';
import { leasesInTurn } from '../../src/load/send/leases.ts';
import type { LoadPlan } from '../../src/load/plan/plan.ts';

// What tests of a load have in common.

export const samplePlan: LoadPlan = {
  seed: 7,
  ratePerSecond: 20,
  arrivals: 'steady',
  durationMs: 3000,
  maxRequests: 1000,
  mix: [
    { operation: 'wci.status', weight: 3 },
    { operation: 'wci.list', weight: 1 },
  ],
  withinLimits: false,
};

export function keysNamed(...labels: readonly string[]): readonly ApiKey[] {
  return labels.map((label) => ({ label, enterprise: 'primary', value: `value of ${label}` }));
}

/** Arrivals of one operation at these times. */
export function arrivalsAt(...times: readonly number[]): readonly Arrival[] {
  return times.map((atMs, index) => ({ index, atMs, operation: 'wci.list', draw: index }));
}

interface Driven {
  /** When each arrival was sent, virtual milliseconds from the start. */
  readonly sent: readonly (readonly [index: number, atMs: number, key: string])[];
  readonly missed: readonly (readonly [index: number, reason: MissReason])[];
  readonly endedMs: number;
}

/** Drives arrivals on virtual time, against a target that takes so long for each of them. */
export async function driveVirtually(
  arrivals: readonly Arrival[],
  answerMs: (index: number, clock: Clock) => number,
  given: Partial<DriveOptions> = {},
): Promise<Driven> {
  const clock = new VirtualClock(1_000_000);
  const startAt = clock.monotonic();
  const sent: [number, number, string][] = [];
  const missed: [number, MissReason][] = [];
  await drive(arrivals, {
    clock,
    startAt,
    maxInFlight: 100,
    missAfterMs: 1000,
    signal: new AbortController().signal,
    lease: leasesInTurn(keysNamed('primary#1', 'primary#2')),
    send: async ({ arrival, key }) => {
      sent.push([arrival.index, clock.monotonic() - startAt, key.label]);
      await clock.sleep(answerMs(arrival.index, clock));
    },
    miss: ({ index }, reason) => missed.push([index, reason]),
    ...given,
  });
  return { sent, missed, endedMs: clock.monotonic() - startAt };
}
