import { describe, expect, test } from 'vitest';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  tokenBucket,
  unlimited,
  weightedWindows,
} from '../reference/shared/windowCounters.ts';
import {
  fixedLimiter,
  leakyQueueLimiter,
  racyLimiter,
  simulate,
} from '../../test/support/limitSimulation.ts';
import { attribute, minuteRows } from './attribute.ts';
import { identify } from './identify.ts';
import { minuteSchedule } from './schedule.ts';

const window = { limit: 60, windowMs: 60_000 };
const steps = [
  ...minuteSchedule(60, 60_000),
  { atMs: 156_000, count: 200, way: 'together', key: 'second' } as const,
];
const networks = [
  { delayMs: 0, lost: 0 },
  { delayMs: 2000, lost: 0 },
];

test('the schedule takes three windows and 260 requests of one key', () => {
  const minutes = minuteSchedule(60, 60_000);
  const tested = minutes.filter(({ key }) => key === 'tested');
  expect(tested.reduce((sum, { count }) => sum + count, 0)).toBe(260);
  expect(Math.max(...minutes.map(({ atMs }) => atMs))).toBeLessThan(3 * 60_000 - 20_000);
});

describe.each(networks)('delays of up to $delayMs ms', (noise) => {
  test.each([
    ['rolling log of 60', fixedLimiter(rollingLog)],
    ['rolling log of 59', fixedLimiter(rollingLog, { limit: 59 })],
    ['rolling log of 61', fixedLimiter(rollingLog, { limit: 61 })],
    ['rolling log of 120', fixedLimiter(rollingLog, { limit: 120 })],
    ['rolling log in which refused requests count of 60', fixedLimiter(rollingLog, { countsRefused: true })],
    ['fixed window aligned to the clock of 60', fixedLimiter(epochWindow)],
    ['fixed window opened by the first request of 60', fixedLimiter(firstRequestWindow)],
    ['token bucket of 60', fixedLimiter(tokenBucket)],
    ['sliding-window counter of 60', fixedLimiter(weightedWindows)],
    ['rolling log, one for each API of 60', fixedLimiter(rollingLog, { scope: ({ key, api }) => key + api })],
    [
      'rolling log, one for each operation of 60',
      fixedLimiter(rollingLog, { scope: ({ key, route }) => key + route }),
    ],
    [
      'rolling log, one for each enterprise of 60',
      fixedLimiter(rollingLog, { scope: ({ enterprise }) => enterprise }),
    ],
    ['rolling log, one for each client address of 60', fixedLimiter(rollingLog, { scope: () => 'here' })],
    ['leaky bucket as a queue of 60', leakyQueueLimiter],
    ['no limit up to', fixedLimiter(unlimited)],
  ])('%s is called by its name', (name, make) => {
    for (const seed of [1, 2]) {
      const decisions = simulate(steps, make(), { seed, noise });
      expect(identify(decisions, window).name).toContain(name);
    }
  });

  test('a race shows where more requests arrive within its moment than there is room for', () => {
    for (const seed of [1, 2]) {
      const decisions = simulate(steps, racyLimiter(60)(), { seed, noise });
      expect(identify(decisions, window).name).toBe('rolling log with a race of 60');
    }
  });
});

describe('a slow network that loses one answer in ten', () => {
  test.each([
    ['as documented', fixedLimiter(rollingLog)],
    ['with refused requests counted', fixedLimiter(rollingLog, { countsRefused: true })],
  ])('contradicts no conforming limiter (%s)', (_name, make) => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const decisions = simulate(steps, make(), { seed, noise: { delayMs: 2000, lost: 0.1 } });
      const identification = identify(decisions, window);
      expect(identification.isDocumented, `seed ${seed}: ${identification.name}`).toBe(true);
      const judged = Object.values(attribute({ decisions, identification, window }, minuteRows));
      expect(judged.filter(({ status }) => status === 'violated')).toEqual([]);
    }
  });
});

test('other numbers are looked for where the configuration names others', () => {
  const other = { limit: 20, windowMs: 60_000 };
  const few = minuteSchedule(20, 60_000);
  const noise = { delayMs: 50, lost: 0 };
  const kept = simulate(few, fixedLimiter(rollingLog, { limit: 20 })(), { seed: 1, noise });
  expect(identify(kept, other).isDocumented).toBe(true);
  const broken = simulate(few, fixedLimiter(rollingLog, { limit: 21 })(), { seed: 1, noise });
  expect(identify(broken, other)).toMatchObject({ isDocumented: false, name: 'rolling log of 21' });
});

test('what speaks against the documented limiter is named by its requests', () => {
  const decisions = simulate(steps, fixedLimiter(rollingLog, { limit: 59 })(), {
    seed: 1,
    noise: { delayMs: 0, lost: 0 },
  });
  const log = identify(decisions, window).models.find(({ id }) => id === 'rolling-log');
  expect(log?.contradictions.join()).toMatch(
    /^x\d+ was refused although at most 59 requests can have counted$/,
  );
});
