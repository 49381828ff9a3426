import type { LoadOptions } from '../../src/load/plan/loadOptions.ts';

/** What `gatecheck load` is given where nothing is said: a steady minute of reads, in one process. */
export function loadOptions(given: Partial<LoadOptions> = {}): LoadOptions {
  return {
    ratePerSecond: null,
    durationMs: 60_000,
    keys: null,
    withinLimits: false,
    arrivals: 'steady',
    mix: null,
    thresholds: [],
    saturate: false,
    connections: 10,
    maxInFlight: 512,
    ownedHost: null,
    workers: null,
    stages: [],
    warmUpMs: 0,
    judgeShare: null,
    journeys: [],
    on429: 'obey',
    sinkManner: { kind: 'ok' },
    processes: null,
    tenants: null,
    tenantsFrom: null,
    capacity: null,
    trialMs: 10_000,
    compareWith: null,
    ...given,
  };
}
