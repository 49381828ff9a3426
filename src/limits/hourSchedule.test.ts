import { describe, expect, test } from 'vitest';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  tokenBucket,
} from '../reference/shared/windowCounters.ts';
import { simulate, type Limiter } from '../../test/support/limitSimulation.ts';
import { attribute, hourRows } from './attribute.ts';
import { hourSchedule, ofTheHour } from './hourSchedule.ts';
import { identify } from './identify.ts';

const limits = { perMinute: 60, perHour: 1000 };
const window = { limit: 1000, windowMs: 3_600_000 };
const steps = hourSchedule(limits) ?? [];

/** The documented minute, and an hour of some kind. */
function limiterOf(counter: typeof rollingLog, perHour: number): Limiter {
  const [minute, hour] = [rollingLog(60, 60_000), counter(perHour, 3_600_000)];
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

describe.each([2000])('delays of up to %i ms', (delayMs) => {
  test.each([
    ['rolling log of 1000', rollingLog, 1000, null],
    ['rolling log of 999', rollingLog, 999, 'SHR-LIM-007'],
    ['rolling log of 1001', rollingLog, 1001, 'SHR-LIM-008'],
    ['fixed window opened by the first request of 1000', firstRequestWindow, 1000, 'SHR-LIM-009'],
    ['fixed window aligned to the clock of 1000', epochWindow, 1000, 'SHR-LIM-009'],
    ['no limit up to', tokenBucket, 1000, 'SHR-LIM-008'],
  ])('%s', (name, counter, perHour, row) => {
    const seen = simulate(steps, limiterOf(counter, perHour), { seed: 1, noise: { delayMs, lost: 0 } });
    const decisions = ofTheHour(seen, limits.perMinute);
    const identification = identify(decisions, window);
    expect(identification.name).toContain(name);
    const judged = Object.entries(attribute({ decisions, identification, window }, hourRows));
    const broken = judged.filter(([, { status }]) => status === 'violated').map(([id]) => id);
    expect(broken).toEqual(row === null ? [] : [row]);
  });
});
