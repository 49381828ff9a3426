import { expect, test } from 'vitest';
import { samplePlan } from '../../../test/support/load.ts';
import { renderOtlp } from '../../report/load/otlp.ts';
import { Durations } from './histogram.ts';
import { JourneyTotals } from '../journeys/journeyTotals.ts';
import { liveFigures, liveSteps, type LiveView } from './live.ts';
import { Recorder } from '../send/recorder.ts';

function view(): LiveView {
  const recorder = new Recorder(1000);
  const base = {
    operation: 'wci.list',
    status: '200',
    kind: 'ok',
    serviceMs: 5,
    latenessMs: 0,
    example: null,
  } as const;
  for (let index = 0; index < 30; index += 1)
    recorder.record({ ...base, atMs: index * 50, latencyMs: 10 + index }, null);
  const [one, other] = [0, 1].map((since) => ({ operation: 'wci.list', since }) as const);
  if (!one || !other) throw new Error('two requests');
  recorder.waiting.open(one);
  recorder.waiting.open(other);
  recorder.waiting.close(one);
  const journeys = new JourneyTotals();
  journeys.begin('dashboard');
  journeys.failed('dashboard', 'page', 'expected 200; got HTTP 500');
  const delays = new Durations();
  delays.record(40);
  const stages = [
    { fromPerSecond: 0, toPerSecond: 20, durationMs: 1000 },
    { fromPerSecond: 20, toPerSecond: 20, durationMs: 2000 },
  ];
  return {
    plan: { ...samplePlan, stages, durationMs: 3000 },
    ...{ planned: 50, recorder, journeys, startedAt: 1000 },
    callbacks: () => delays,
    broken: () => 2,
  };
}

test('the figures of a moment: stage, wanted and sent rate, the last whole step, what is in flight', () => {
  const figures = liveFigures(view(), 2700);
  expect(figures).toMatchObject({
    elapsedMs: 1700,
    stage: 2,
    stages: 2,
    wantedPerSecond: 20,
    sentPerSecond: 20,
  });
  expect(figures).toMatchObject({ sent: 30, ok: 30, inFlight: 1, broken: 2, callbacks: { count: 1 } });
  expect(figures.recentP50Ms).toBeLessThan(figures.p99Ms);
  expect(figures.journeys).toEqual([{ journey: 'dashboard', begun: 1, done: 0, failed: 1 }]);
});

test('the course has the whole steps so far', () => {
  expect(liveSteps(view(), 99_999).map(({ atMs, ok }) => [atMs, ok])).toEqual([
    [0, 20],
    [1000, 10],
  ]);
  expect(liveSteps(view(), 2500).map(({ atMs }) => atMs)).toEqual([0]);
  expect(liveSteps(view(), 1000)).toEqual([]);
});

test('metrics are OTLP: counts that only grow, gauges, and times in nanoseconds as text', () => {
  const resource = { runId: 'r1', target: 'http://x', version: '1', startedAt: 1000, at: 2000 };
  const text = JSON.stringify(renderOtlp(liveFigures(view(), 2700), resource));
  const { resourceMetrics } = JSON.parse(text) as {
    resourceMetrics: { scopeMetrics: { metrics: { name: string; sum?: object; gauge?: object }[] }[] }[];
  };
  const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
  expect(metrics.find(({ name }) => name === 'gatecheck.load.sent')?.sum).toEqual({
    dataPoints: [{ startTimeUnixNano: '1000000000', timeUnixNano: '2000000000', asDouble: 30 }],
    aggregationTemporality: 2,
    isMonotonic: true,
  });
  expect(metrics.find(({ name }) => name === 'gatecheck.load.in_flight')?.gauge).toBeDefined();
});
