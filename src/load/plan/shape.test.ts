import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplePlan } from '../../../test/support/load.ts';
import { arrivalsOf, slicesOf } from './arrivals.ts';
import type { LoadPlan, Stage } from './plan.ts';
import { durationOf, parseStages, peakOf, RateCurve } from './shape.ts';

const stagesFrom = (text: string): readonly Stage[] => {
  const stages = parseStages(text);
  if (stages === null) throw new Error(`malformed: ${text}`);
  return stages;
};

function timesFor(plan: Partial<LoadPlan>): readonly number[] {
  const whole: LoadPlan = { ...samplePlan, maxRequests: 1e6, ...plan };
  return slicesOf(whole).flatMap((slice) => [...arrivalsOf(whole, slice)].map(({ atMs }) => atMs));
}

test('a ramp, a plateau, a spike and the way down, by both arrows', () => {
  expect(stagesFrom('0→200/s in 2m, 200/s for 10m, 800/s for 30s, 0 in 1m')).toEqual([
    { fromPerSecond: 0, toPerSecond: 200, durationMs: 120_000 },
    { fromPerSecond: 200, toPerSecond: 200, durationMs: 600_000 },
    { fromPerSecond: 800, toPerSecond: 800, durationMs: 30_000 },
    { fromPerSecond: 800, toPerSecond: 0, durationMs: 60_000 },
  ]);
  expect(stagesFrom('60->120/m in 1m30s')).toEqual([
    { fromPerSecond: 1, toPerSecond: 2, durationMs: 90_000 },
  ]);
  expect(stagesFrom('120/m→3/s in 1m')).toEqual([{ fromPerSecond: 2, toPerSecond: 3, durationMs: 60_000 }]);
});

test.each([
  '',
  '200/s',
  '0 for 1m',
  '5→6/s for 1m',
  '-1/s for 1m',
  '5/s for 0s',
  '5/x for 1m',
  '1e9/s for 1s',
  ',',
])('%j is no course of a load', (text) => expect(parseStages(text)).toBeNull());

/** Texts of the pieces that stages are made of, in any order, and any other texts. */
const anyCourse = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '→',
          '->',
          '/s',
          '/m',
          '/h',
          ' in ',
          ' for ',
          ',',
          '.',
          '-',
          'e',
          's',
          'm',
          'h',
          'ms',
        ),
        fc.nat().map(String),
        fc.constantFrom('0', '00', '9'.repeat(400), '0.0000001', '1e3', '٣', '∞', 'NaN'),
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join('')),
);

test('whatever is given is a course that ends and sends something, or none', () => {
  fc.assert(
    fc.property(anyCourse, (text) => {
      const stages = parseStages(text);
      if (stages === null) return;
      expect(durationOf(stages)).toBeGreaterThan(0);
      expect(durationOf(stages)).toBeLessThanOrEqual(7 * 24 * 3_600_000);
      expect(peakOf(stages)).toBeGreaterThan(0);
      expect(peakOf(stages)).toBeLessThanOrEqual(100_000);
      for (const one of stages.flatMap((stage) => [stage.fromPerSecond, stage.toPerSecond, stage.durationMs]))
        expect(one).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 2000 },
  );
});

describe('the curve', () => {
  const stage = fc.record({
    fromPerSecond: fc.integer({ min: 0, max: 300 }),
    toPerSecond: fc.integer({ min: 0, max: 300 }),
    durationMs: fc.integer({ min: 100, max: 20_000 }),
  });

  test('when so many are due is where that many are due', () => {
    fc.assert(
      fc.property(
        fc.array(stage, { minLength: 1, maxLength: 5 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (stages, share) => {
          const curve = new RateCurve(stages);
          const total = curve.countAt(durationOf(stages));
          const count = total * share * 0.999;
          expect(curve.countAt(curve.timeOf(count))).toBeCloseTo(count, 4);
        },
      ),
    );
  });

  test('is read between its ends', () => {
    const curve = new RateCurve(stagesFrom('0→100/s in 10s, 50/s for 10s'));
    expect([0, 5000, 9999, 12_000, 20_000].map((at) => Math.round(curve.rateAt(at)))).toEqual([
      0, 50, 100, 50, 0,
    ]);
    expect(peakOf(stagesFrom('0→100/s in 10s, 50/s for 10s'))).toBe(100);
  });
});

test('arrivals of a ramp come ever closer, each in order, as many as the area under the curve', () => {
  const stages = stagesFrom('0→100/s in 10s');
  const times = timesFor({ stages, ratePerSecond: 100, durationMs: 10_000 });
  expect(times).toHaveLength(500);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(0);
  expect(gaps[0] ?? 0).toBeGreaterThan((gaps.at(-1) ?? 0) * 10);
});

test('by chance about as many, and the same ones for the same seed', () => {
  const stages = stagesFrom('0→400/s in 10s');
  const plan = { stages, ratePerSecond: 400, durationMs: 10_000, arrivals: 'poisson' as const };
  const times = timesFor(plan);
  expect(Math.abs(times.length - 2000)).toBeLessThan(4 * Math.sqrt(2000));
  expect(timesFor(plan)).toEqual(times);
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

test('a journey with a course of its own comes beside the rest, in the order of time', () => {
  const plan: LoadPlan = {
    ...samplePlan,
    ratePerSecond: 30,
    durationMs: 2000,
    stages: stagesFrom('20/s for 2s'),
    journeys: [{ journey: 'dashboard', weight: 1 }],
    ownShapes: [{ journey: 'dashboard', stages: stagesFrom('10/s for 1s') }],
  };
  const arrivals = slicesOf(plan).flatMap((slice) => [...arrivalsOf(plan, slice)]);
  expect(
    arrivals.filter(({ journey }) => journey === 'dashboard').map(({ atMs }) => Math.floor(atMs / 1000)),
  ).toEqual(Array.from({ length: 10 }, () => 0));
  expect(arrivals.filter(({ journey }) => journey === undefined)).toHaveLength(40);
  expect(arrivals.map(({ atMs }) => atMs)).toEqual(arrivals.map(({ atMs }) => atMs).sort((a, b) => a - b));
});
