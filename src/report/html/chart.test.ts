import { expect, test } from 'vitest';
import { sampleLoad } from '../../../test/support/sampleLoad.ts';
import { linearScale, logScale } from './chart.ts';
import { renderCourse, renderKnee } from './loadPlots.ts';

test('scales have round labels around all values', () => {
  expect(linearScale([0, 38]).ticks).toEqual([0, 10, 20, 30, 40]);
  expect(logScale([3.1, 18]).ticks).toEqual([2, 5, 10, 20]);
  expect(logScale([0.4, 900]).ticks).toEqual([0.1, 1, 10, 100, 1000]);
  expect(logScale([5]).ticks).toEqual([5, 10]);
  expect(logScale([]).ticks).toHaveLength(4);
});

test('the course shows what was planned, its stages, thresholds and seconds without an answer', () => {
  const { plan, ...load } = sampleLoad();
  const stages = [
    { fromPerSecond: 0, toPerSecond: 20, durationMs: 6000 },
    { fromPerSecond: 20, toPerSecond: 20, durationMs: 6000 },
  ];
  const thresholds = [{ threshold: 'p99<300ms', met: false }];
  const course = { ...load, thresholds, elapsedMs: 12_000, plan: { ...plan, stages, durationMs: 12_000 } };
  const { markup = '' } = renderCourse(course) ?? {};
  expect(markup).toContain('from 3 s: planned 11.7/s · sent 0/s');
  for (const text of ['0→20/s', '>p99&lt;300ms<', 'logarithmic scale', '>10 s<'])
    expect(markup).toContain(text);
});

test('a trial without an answer has no latency in the plot of a search', () => {
  const trial = {
    ...{ held: true, okPerSecond: 10, p50Ms: 3, p99Ms: 9, refused: 0, errors: 0, missed: 0, inFlight: 1 },
    notMet: [],
  };
  const none = { ...trial, ratePerSecond: 20, held: false, p50Ms: null, p99Ms: null };
  const { markup = '' } =
    renderKnee({
      ...{ bounds: ['p99<300ms'], heldPerSecond: 10, brokenPerSecond: 20, confidence: 0.9, isWhole: true },
      ...{ limitedBy: 'limiter', why: '', trials: [{ ...trial, ratePerSecond: 10 }, none] },
    }) ?? {};
  expect(markup).toContain('10/s: median 3 ms · 99 % 9 ms');
  expect(markup).toContain('20/s: nothing');
});
