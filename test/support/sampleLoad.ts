import { Recorder } from '../../src/load/send/recorder.ts';
import { summarize } from '../../src/load/summary/summary.ts';
import type { LoadSummary } from '../../src/load/summary/summarySchema.ts';
import { samplePlan } from './load.ts';

/** A small load with answers, a 429, an error and a missed request; a threshold that is met and one that is not. */
export function sampleLoad(overrides: Partial<LoadSummary> = {}): LoadSummary {
  const recorder = new Recorder(1000);
  const base = { operation: 'wci.list', atMs: 0, serviceMs: 4, latenessMs: 1, example: null } as const;
  for (const latencyMs of [3, 5, 80])
    recorder.record({ ...base, status: '200', kind: 'ok', latencyMs }, null);
  recorder.record({ ...base, atMs: 2500, status: '429', kind: 'refused', latencyMs: 1 }, null);
  recorder.record(
    {
      ...base,
      operation: 'wci.status',
      atMs: 2500,
      status: '500',
      kind: 'error',
      latencyMs: 9,
      example: 'oops',
    },
    null,
  );
  recorder.miss(2600, 'late');
  const summary = summarize({
    plan: samplePlan,
    keys: 2,
    recorder,
    planned: 6,
    connections: null,
    elapsedMs: 3000,
    accuracy: { admitted: 3, refused: 1, expectedRefused: [0, 1], overAdmitted: [], underAdmitted: [] },
    callbackDelays: null,
    thresholds: [
      { threshold: 'p99<300ms', met: true, samples: 4, actual: '80ms' },
      { threshold: 'errors<1%', met: false, samples: 5, actual: '20%' },
    ],
    workers: null,
  });
  return JSON.parse(JSON.stringify({ ...summary, ...overrides })) as LoadSummary;
}
