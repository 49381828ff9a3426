import { describe, expect, test } from 'vitest';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  tokenBucket,
  weightedWindows,
} from '../reference/shared/windowCounters.ts';
import { bucket } from '../../test/support/limitCounters.ts';
import { simulate, type Limiter } from '../../test/support/limitSimulation.ts';
import { attribute, hourRows } from '../judge/limits/attribute.ts';
import { hourSchedule } from './schedule.ts';
import { ofTheHour } from '../judge/limits/ofTheHour.ts';
import { identify } from '../judge/limits/identify.ts';

const limits = { perMinute: 60, perHour: 1000 };
const window = { limit: 1000, windowMs: 3_600_000 };
const steps = hourSchedule(limits) ?? [];

/** The documented minute limit or another one, and an hour limit of some kind. */
function limiterOf(counter: typeof rollingLog, perHour: number, minuteCounter = rollingLog): Limiter {
  const [minute, hour] = [minuteCounter(60, 60_000), counter(perHour, 3_600_000)];
  return (at) => {
    if (minute.waitMs(at) > 0 || hour.waitMs(at) > 0) return null;
    minute.record(at);
    hour.record(at);
    return 0;
  };
}

test('no more than the minute allows are sent within a minute', () => {
  for (const { atMs } of steps) {
    const near = steps.filter((step) => Math.abs(step.atMs - atMs) < 62_000);
    expect(near.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(limits.perMinute);
  }
});

test('where the minute never lets so many through there is no schedule', () => {
  expect(hourSchedule({ perMinute: 60, perHour: 3600 })).toBeNull();
});

describe.each([20, 2000, 4000])('delays of up to %i ms', (delayMs) => {
  test.each([
    ['rolling log of 1000', rollingLog, 1000, null],
    ['rolling log of 999', rollingLog, 999, 'SHR-LIM-007'],
    ['rolling log of 1001', rollingLog, 1001, 'SHR-LIM-008'],
    ['fixed window of 1000 opened by the first request', firstRequestWindow, 1000, 'SHR-LIM-009'],
    ['fixed window of 1000 aligned to the clock', epochWindow, 1000, 'SHR-LIM-009'],
    ['or a token bucket of 1000', tokenBucket, 1000, 'SHR-LIM-008'],
  ])('%s', (name, counter, perHour, row) => {
    const seen = simulate(steps, limiterOf(counter, perHour), { seed: 1, noise: { delayMs, lost: 0 } });
    const decisions = ofTheHour(seen);
    const identification = identify(decisions, window);
    expect(identification.name).toContain(name);
    const judged = Object.entries(attribute({ decisions, identification, window }, hourRows));
    const broken = judged.filter(([, { status }]) => status === 'violated').map(([id]) => id);
    expect(broken).toEqual(row === null ? [] : [row]);
  });
});

test('what the bucket of the minute refuses is not laid on the hour', () => {
  const limiter = limiterOf(rollingLog, 1000, () => bucket(10, 60)(60, 60_000));
  const seen = simulate(steps, limiter, { seed: 1, noise: { delayMs: 50, lost: 0 } });
  const decisions = ofTheHour(seen);
  expect(seen.filter(({ ruling }) => ruling === 'refused').length).toBeGreaterThan(500);
  expect(decisions.filter(({ ruling }) => ruling === 'refused')).toEqual([]);
  const identification = identify(decisions, window);
  expect(identification.name).toMatch(
    /^none seen: \d+ passed within 3600 s, and all that was refused may have been refused by another limit$/,
  );
  const judged = Object.values(attribute({ decisions, identification, window }, hourRows));
  expect(judged.filter(({ status }) => status === 'violated')).toEqual([]);
});

describe.each([0, 7000, 20_000, 35_000, 50_000])(
  'a sliding-window counter of the minute, %i ms on',
  (shiftMs) => {
    const counted: typeof rollingLog = (limit, windowMs) => {
      const counter = weightedWindows(limit, windowMs);
      return {
        ...counter,
        waitMs: (at) => counter.waitMs(at + shiftMs),
        record: (at) => counter.record(at + shiftMs),
      };
    };
    test.each([
      [1000, []],
      [700, ['SHR-LIM-007']],
    ])('what it refuses is not laid on an hour of %i', (perHour, broken) => {
      const limiter = limiterOf(rollingLog, perHour, counted);
      const seen = simulate(steps, limiter, { seed: 1, noise: { delayMs: 50, lost: 0 } });
      const decisions = ofTheHour(seen);
      const identification = identify(decisions, window);
      const judged = Object.entries(attribute({ decisions, identification, window }, hourRows));
      expect(judged.filter(([, { status }]) => status === 'violated').map(([id]) => id)).toEqual(broken);
    });
  },
);
