import { expect, test } from 'vitest';
import { plainPalette } from '../../core/palette.ts';
import { VirtualClock } from '../../core/virtualClock.ts';
import { JourneyTotals } from '../../load/journeys/journeyTotals.ts';
import type { LoadPlan } from '../../load/plan/plan.ts';
import { Recorder } from '../../load/send/recorder.ts';
import type { LoadView } from '../../load/load.ts';
import { createLoadProgress } from './talk.ts';

const plan: LoadPlan = {
  ...{ seed: 1, ratePerSecond: 10, arrivals: 'steady', durationMs: 10_000, maxRequests: 100 },
  ...{ mix: [{ operation: 'wci.list', weight: 1 }], withinLimits: false },
};

test('a trial after another one is reported as often as the first one', async () => {
  const clock = new VirtualClock(0);
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const progress = createLoadProgress(
    { write, palette: plainPalette, interactive: false, columns: 80 },
    clock,
  );
  const counts: number[] = [];
  for (let trial = 0; trial < 3; trial += 1) {
    lines.length = 0;
    progress.start(viewAt(clock.monotonic()));
    await clock.sleep(10_001);
    counts.push(lines.filter((line) => line.includes(' in flight')).length);
  }
  progress.stop();
  await clock.sleep(20_000);
  expect(counts).toEqual([3, 3, 3]);
  expect(lines.filter((line) => line.includes(' in flight'))).toHaveLength(3);
});

function viewAt(startedAt: number): LoadView {
  return {
    ...{ plan, planned: 100, startedAt, recorder: new Recorder(1000), journeys: new JourneyTotals() },
    ...{ callbacks: () => null, thresholds: [], broken: () => 0 },
    ...{ runId: 'r', target: 'http://a.test', connections: null, keys: 1 },
  };
}
