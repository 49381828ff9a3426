import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { capacityOf, type CapacityTrial } from './findCapacity.ts';
import { compareLoads, type ComparedLoad } from '../summary/compareLoads.ts';
import { confidenceOf, searchCapacity, type Trial } from './search.ts';

const usual = {
  ...{ startPerSecond: 10, leastPerSecond: 0.1, mostPerSecond: 10_000 },
  ...{ repeats: 3, mostTrials: 40, closeness: 1.1 },
};
const heldUpTo =
  (capacity: number) =>
  (ratePerSecond: number): Promise<Trial> =>
    Promise.resolve({ ratePerSecond, held: ratePerSecond <= capacity });

describe('the search', () => {
  test('closes in on the capacity, wherever it lies, and tries what it found three times', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.2, max: 9000, noNaN: true }), async (capacity) => {
        const found = await searchCapacity({ ...usual, trial: heldUpTo(capacity) });
        expect(found.heldPerSecond).toBeLessThanOrEqual(capacity);
        expect(found.brokenPerSecond).toBeGreaterThan(capacity);
        expect((found.brokenPerSecond ?? 0) / (found.heldPerSecond ?? 1)).toBeLessThanOrEqual(1.1);
        expect(found.trials.filter((one) => one.ratePerSecond === found.heldPerSecond)).toHaveLength(3);
        expect(found.trials.length).toBeLessThan(26);
      }),
    );
  });

  test('a rate that was held by chance is given up', async () => {
    const seen = new Map<number, number>();
    const trial = (ratePerSecond: number) => {
      const turn = (seen.get(ratePerSecond) ?? 0) + 1;
      seen.set(ratePerSecond, turn);
      return Promise.resolve({
        ratePerSecond,
        held: ratePerSecond <= 100 || (ratePerSecond <= 130 && turn === 1),
      });
    };
    const found = await searchCapacity({ ...usual, trial });
    expect(found.heldPerSecond).toBeLessThanOrEqual(100);
    expect(found.heldPerSecond).toBeGreaterThan(80);
  });

  test('so is the lowest that was held: the search goes on below it', async () => {
    const seen = new Map<number, number>();
    const trial = (ratePerSecond: number) => {
      const turn = (seen.get(ratePerSecond) ?? 0) + 1;
      seen.set(ratePerSecond, turn);
      const held = ratePerSecond <= 4 || (ratePerSecond <= 25 && turn < 2);
      return Promise.resolve({ ratePerSecond, held });
    };
    const found = await searchCapacity({ ...usual, startPerSecond: 50, mostTrials: 200, trial });
    expect(found.heldPerSecond).toBeLessThanOrEqual(4);
    expect(found.heldPerSecond).toBeGreaterThan(3);
    expect(found.isWhole).toBe(true);
  });

  test('nothing held, everything held, and no budget for more are told apart', async () => {
    const nothing = await searchCapacity({ ...usual, trial: heldUpTo(0) });
    expect([nothing.heldPerSecond, nothing.isWhole]).toEqual([null, true]);
    const all = await searchCapacity({ ...usual, trial: heldUpTo(1e9) });
    expect([all.heldPerSecond, all.brokenPerSecond]).toEqual([10_000, null]);
    const few = await searchCapacity({ ...usual, mostTrials: 4, trial: heldUpTo(500) });
    expect([few.trials.length, few.isWhole]).toEqual([4, false]);
  });

  test('is as sure as its repeats make it', () => {
    const trials = [1, 2, 3].map(() => ({ ratePerSecond: 5, held: true }));
    expect(confidenceOf(trials, 5)).toBe(0.875);
    expect(confidenceOf(trials, 6)).toBe(0);
  });
});

const allowed = { keys: 64, perMinute: 60, perHour: 1000 };

describe('what limits', () => {
  const trial = (ratePerSecond: number, more: Partial<CapacityTrial>): CapacityTrial => ({
    ...{ ratePerSecond, held: true, okPerSecond: ratePerSecond, p50Ms: 10, p99Ms: 20, lateP99Ms: 1 },
    ...{ refused: 0, errors: 0, missed: 0, inFlight: 1, notMet: [] },
    ...more,
  });
  const limited = (broken: Partial<CapacityTrial>) => {
    const trials = [trial(10, {}), trial(20, { held: false, notMet: ['p99<300ms (got 400ms)'], ...broken })];
    const found = { heldPerSecond: 10, brokenPerSecond: 20, trials, isWhole: true };
    return capacityOf(found, [], allowed);
  };

  test('is this machine where requests left about as late as they were answered', () => {
    expect(limited({ p99Ms: 400, lateP99Ms: 380 }).limitedBy).toBe('sender');
    expect(limited({ p99Ms: 400, lateP99Ms: 20 }).limitedBy).toBe('latency');
    expect(limited({ p50Ms: 100, p99Ms: 400, lateP99Ms: 20 }).limitedBy).toBe('queueing');
    expect(limited({ missed: 3 }).limitedBy).toBe('sender');
    expect(limited({ refused: 5 }).limitedBy).toBe('limiter');
  });

  test('names the limit that was hit, and what gives more room', () => {
    const nothing = limited({ refused: 200, okPerSecond: 0, p50Ms: null, p99Ms: null });
    expect(nothing).toMatchObject({ limitedBy: 'limiter', trials: [{ p50Ms: 10 }, { p50Ms: null }] });
    expect(nothing.why).toContain(
      '64 keys × 60 a minute, 1000 an hour each; more keys give more room: try --tenants',
    );
  });
});

test('where nothing was tried, nothing is said to have been held', () => {
  const none = { heldPerSecond: null, brokenPerSecond: null, trials: [], isWhole: false };
  expect(capacityOf(none, [], allowed)).toMatchObject({ limitedBy: 'nothing-seen', why: 'none was tried' });
});

describe('compared with an earlier load', () => {
  const load = (p50Ms: number, more: Partial<ComparedLoad> = {}): ComparedLoad => ({
    plan: { ratePerSecond: 10, mix: [{ operation: 'wci.list', weight: 1 }] },
    steps: Array.from({ length: 30 }, (_, index) => ({
      ok: 10,
      p50Ms: p50Ms * (1 + (index % 7) / 50),
      p99Ms: p50Ms * 3,
    })),
    ...more,
  });
  const verdicts = (now: ComparedLoad, then: ComparedLoad) =>
    compareLoads(now, then).map(({ verdict }) => verdict);

  test('slower, faster and the same, with the range of the ratio', () => {
    expect(verdicts(load(20), load(10))).toEqual(['slower', 'slower']);
    expect(verdicts(load(10), load(20))).toEqual(['faster', 'faster']);
    expect(verdicts(load(10.1), load(10))).toEqual(['same', 'same']);
    const [median] = compareLoads(load(20), load(10));
    expect(median?.ratio?.low).toBeGreaterThan(1.7);
    expect(median?.ratio?.high).toBeLessThan(2.3);
  });

  test('capacities differ only where their ranges do', () => {
    const capacity = (heldPerSecond: number, brokenPerSecond: number | null, bounds = ['p99<1s']) => ({
      capacity: { bounds, heldPerSecond, brokenPerSecond },
    });
    expect(verdicts(load(1, capacity(100, 110)), load(1, capacity(200, 215)))).toEqual(['slower']);
    expect(verdicts(load(1, capacity(200, 215)), load(1, capacity(100, 110)))).toEqual(['faster']);
    expect(verdicts(load(1, capacity(100, 110)), load(1, capacity(105, 115)))).toEqual(['same']);
    expect(verdicts(load(1, capacity(100, null)), load(1))).toEqual(['not-comparable']);
    const strict = load(1, capacity(100, 110, ['p99<300ms']));
    expect(verdicts(strict, load(1, capacity(200, 215)))).toEqual(['not-comparable']);
  });

  test.each<[what: string, more: Partial<ComparedLoad['plan']>]>([
    ['stages up to the same rate', { stages: [{ fromPerSecond: 0, toPerSecond: 10, durationMs: 30_000 }] }],
    ['other arrivals', { arrivals: 'poisson' }],
    ['other journeys', { journeys: [{ journey: 'dashboard', weight: 1 }] }],
    ['more connections', { connections: 20 }],
  ])('a load of %s is not comparable', (_what, more) => {
    const { plan } = load(10);
    expect(verdicts(load(10, { plan: { ...plan, ...more } }), load(20))).toEqual(['not-comparable']);
  });

  test('another load or too few steps are not comparable', () => {
    const other = load(10, { plan: { ratePerSecond: 20, mix: [] } });
    expect(verdicts(load(10), other)).toEqual(['not-comparable']);
    expect(verdicts(load(10, { steps: [] }), load(10))).toEqual(['not-comparable', 'not-comparable']);
  });
});
