import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeyDecision } from '../judge/accuracy.ts';
import { Durations } from '../summary/histogram.ts';
import { DecisionList, packDecisions, unpackDecisions } from '../judge/decisionList.ts';
import { Recorder, type RequestOutcome, type SampleKind } from './recorder.ts';

const sample = fc.record({
  operation: fc.constantFrom('wci.list', 'wci.status'),
  status: fc.constantFrom('200', '429', '500', 'timeout'),
  kind: fc.constantFrom<SampleKind>('ok', 'refused', 'error'),
  atMs: fc.integer({ min: 0, max: 60_000 }),
  latencyMs: fc.double({ min: 0, max: 40_000, noNaN: true }),
  serviceMs: fc.double({ min: 0, max: 40_000, noNaN: true }),
  latenessMs: fc.double({ min: 0, max: 900, noNaN: true }),
  socketMs: fc.double({ min: 0, max: 900, noNaN: true }),
  example: fc.constant(null),
}) as fc.Arbitrary<RequestOutcome>;

/** Everything that reports use. */
const shown = (recorder: Recorder) => ({
  sent: recorder.sent,
  counts: recorder.counts,
  missed: recorder.missed,
  lost: recorder.lost,
  latency: recorder.latency(null).percentiles,
  list: recorder.latency('wci.list').percentiles,
  service: recorder.service.percentiles,
  lateness: recorder.lateness.percentiles,
  socketWaits: recorder.socketWaits.percentiles,
  steps: [...recorder.steps]
    .sort(([one], [other]) => one - other)
    .map(([index, { latency, ...counts }]) => [index, counts, latency.percentiles]),
  decisions: [...recorder.decisions].toSorted((one, other) => one[1] - other[1]),
});

test('parts that are recorded apart and merged make the same whole, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (samples, parts) => {
      const whole = new Recorder(1000);
      const recorders = Array.from({ length: parts }, () => new Recorder(1000));
      samples.forEach((one, index) => {
        const decision = ['primary#1', index, index + 1, 'admitted'] as const;
        whole.record(one, decision);
        recorders[index % parts]?.record(one, decision);
      });
      whole.miss(5, 'late');
      whole.lose(2);
      recorders[0]?.miss(5, 'late');
      recorders[0]?.lose(2);
      const merged = new Recorder(1000);
      // As sent over the wire.
      for (const part of recorders.reverse())
        merged.add(JSON.parse(JSON.stringify(part.snapshot())) as ReturnType<Recorder['snapshot']>);
      expect(shown(merged)).toEqual(shown(whole));
    }),
    { numRuns: 60 },
  );
});

test('percentiles are within three digits of those of the values themselves', () => {
  const durations = new Durations();
  const values = Array.from({ length: 10_000 }, (_, index) => (index + 1) / 10);
  for (const value of values) durations.record(value);
  for (const share of [50, 90, 99, 99.9]) {
    const exact = values[Math.ceil((share / 100) * values.length) - 1] ?? 0;
    expect(durations.percentile(share) / exact).toBeGreaterThan(0.999);
    expect(durations.percentile(share) / exact).toBeLessThan(1.001);
  }
});

test('answers of the rate limiter make no latency look better', () => {
  const recorder = new Recorder(1000);
  const base = { operation: 'wci.list', atMs: 0, serviceMs: 1, latenessMs: 0, example: null } as const;
  recorder.record({ ...base, status: '200', kind: 'ok', latencyMs: 100 }, null);
  for (let turn = 0; turn < 99; turn += 1)
    recorder.record({ ...base, status: '429', kind: 'refused', latencyMs: 1 }, null);
  expect(recorder.latency(null).percentile(50)).toBeCloseTo(100, 0);
});

test('decisions come through the way between machines, no interval narrower than it was', () => {
  const kinds = fc.constantFrom('admitted', 'refused', 'unknown');
  const time = fc.double({ min: 0, max: 1e7, noNaN: true });
  const decision = fc
    .tuple(
      fc.constantFrom('primary#1', 'primary#2'),
      time,
      fc.double({ min: 0, max: 60_000, noNaN: true }),
      kinds,
    )
    .map(([key, sent, ms, kind]) => [key, 1.8e12 + sent, 1.8e12 + sent + ms, kind] as KeyDecision);
  fc.assert(
    fc.property(fc.array(decision, { maxLength: 20 }), (decisions) => {
      const back = unpackDecisions(packDecisions(new DecisionList(decisions)));
      expect(back.map(([key, , , kind]) => [key, kind])).toEqual(
        decisions.map(([key, , , kind]) => [key, kind]),
      );
      back.forEach(([, sent, received], index) => {
        const [, from = 0, to = 0] = decisions[index] ?? [];
        // The numbers themselves are exact to a quarter of a microsecond at these times.
        expect(sent - from).toBeLessThan(0.001);
        expect(from - sent).toBeLessThan(0.012);
        expect(to - received).toBeLessThan(0.001);
        expect(received - to).toBeLessThan(0.022);
      });
    }),
  );
});
