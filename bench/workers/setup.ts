import { keyId, type LoadSetup } from '../../src/load/workers/messages.ts';

/** Who the workers of this benchmark are for; nothing is ever sent there. */
export const target = { webcheckin: 'http://127.0.0.1:9', 'flight-alerts': 'http://127.0.0.1:9' } as const;
export const version = 'bench';

/** A load of so many requests a second from each of so many workers, with a key for each. */
export function setupOf(given: {
  readonly runId: string;
  readonly workers: number;
  readonly perWorker: number;
  readonly seconds: number;
  readonly startAt: number;
}): LoadSetup {
  const { runId, workers, perWorker, seconds, startAt } = given;
  return {
    version: 1,
    runId,
    plan: {
      seed: 1,
      ratePerSecond: workers * perWorker,
      arrivals: 'steady',
      durationMs: seconds * 1000,
      maxRequests: 1e9,
      mix: [
        { operation: 'wci.status', weight: 5 },
        { operation: 'wci.list', weight: 3 },
        { operation: 'fla.lookup', weight: 2 },
      ],
      withinLimits: false,
    },
    ...{ target, keys: keysOf(workers), limits: { perMinute: 60, perHour: 1000 } },
    material: { itinerary: null, checkinIds: [], flights: [], leg: null },
    ...{ maxInFlight: 512, shares: workers, startAt, judgeShare: null, command: 'bench' },
    endMs: seconds * 1000,
  };
}

export function keysOf(count: number): LoadSetup['keys'] {
  return Array.from({ length: count }, (_, index) => ({
    id: keyId(`bench-${index}`),
    label: `primary#${index + 1}`,
  }));
}
