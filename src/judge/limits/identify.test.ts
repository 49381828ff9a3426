import { describe, expect, test } from 'vitest';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  tokenBucket,
  unlimited,
  weightedWindows,
} from '../../reference/shared/windowCounters.ts';
import { behind, bucket, countedLate, forgetful, spread } from '../../../test/support/limitCounters.ts';
import {
  fixedLimiter,
  leakyQueueLimiter,
  racyLimiter,
  simulate,
  type Limiter,
} from '../../../test/support/limitSimulation.ts';
import { attribute, minuteRows } from './attribute.ts';
import { identify } from './identify.ts';
import { minuteSchedule } from '../../limits/schedule.ts';

const window = { limit: 60, windowMs: 60_000 };
const steps = [
  ...minuteSchedule(60, 60_000),
  { atMs: 156_000, count: 200, way: 'together', key: 'second' } as const,
];
function alternating(): () => number {
  let turn = 0;
  return () => turn++;
}

const networks = [
  { delayMs: 0, lost: 0 },
  { delayMs: 2000, lost: 0 },
];

test('the schedule takes three windows and 263 requests of one key', () => {
  const minutes = minuteSchedule(60, 60_000);
  const tested = minutes.filter(({ key }) => key === 'tested');
  expect(tested.reduce((sum, { count }) => sum + count, 0)).toBe(263);
  expect(Math.max(...minutes.map(({ atMs }) => atMs))).toBeLessThan(3 * 60_000 - 20_000);
});

describe.each(networks)('delays of up to $delayMs ms', (noise) => {
  test.each([
    ['rolling log of 60', fixedLimiter(rollingLog)],
    ['rolling log of 59', fixedLimiter(rollingLog, { limit: 59 })],
    ['rolling log of 61', fixedLimiter(rollingLog, { limit: 61 })],
    ['rolling log of 120', fixedLimiter(rollingLog, { limit: 120 })],
    ['rolling log of 60 in which refused requests count', fixedLimiter(rollingLog, { countsRefused: true })],
    [
      'rolling log of 59 in which refused requests count',
      fixedLimiter(rollingLog, { limit: 59, countsRefused: true }),
    ],
    ['fixed window of 60 aligned to the clock', fixedLimiter(epochWindow)],
    ['fixed window of 60 opened by the first request', fixedLimiter(firstRequestWindow)],
    ['token bucket of 60', fixedLimiter(tokenBucket)],
    ['sliding-window counter of 60', fixedLimiter(weightedWindows)],
    ['rolling log of 60, one for each API', fixedLimiter(rollingLog, { scope: ({ key, api }) => key + api })],
    [
      'rolling log of 60, one for each operation',
      fixedLimiter(rollingLog, { scope: ({ key, route }) => key + route }),
    ],
    [
      'rolling log of 60, one for each enterprise',
      fixedLimiter(rollingLog, { scope: ({ enterprise }) => enterprise }),
    ],
    ['rolling log of 60, one for each client address', fixedLimiter(rollingLog, { scope: () => 'here' })],
    ['leaky bucket of 60 as a queue', () => leakyQueueLimiter(60)],
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
      expect(identify(decisions, window).name).toBe('rolling log of 60 with a race');
    }
  });
});

describe('limiters of several numbers', () => {
  const called = (limiter: Limiter, delayMs: number, seed = 1) => {
    const decisions = simulate(steps, limiter, { seed, noise: { delayMs, lost: 0 } });
    return { decisions, identification: identify(decisions, window) };
  };

  test.each([
    ['token bucket of 10 that refills 60 a minute', bucket(10, 60)],
    ['token bucket of 120 that refills 60 a minute', bucket(120, 60)],
    ['token bucket of 60 that refills 30 a minute', bucket(60, 30)],
    [
      'token bucket of up to 40 that refills 46 or more a minute, in front of a rolling log of 60',
      behind(bucket(40, 120), rollingLog),
    ],
    ['rolling log of 60 that counts at least 1 s late', countedLate(() => 1000)],
    ['rolling log of 60 in 52 to 57 s', (limit) => rollingLog(limit, 55_000)],
    ['rolling log of 60 in 70 to 106 s', (limit) => rollingLog(limit, 90_000)],
    ['rolling log of 120', spread(2, alternating())],
    ['none of the known limiters', behind(bucket(40, 120), firstRequestWindow)],
  ])('%s', (name, counter) => {
    const { identification } = called(fixedLimiter(counter)(), 20);
    expect(identification.name).toContain(name);
    expect(identification.isDocumented).toBe(false);
  });

  test('a bucket with room for little breaks the rule of how many pass, and names products that work like it', () => {
    const { decisions, identification } = called(fixedLimiter(bucket(10, 60))(), 20);
    const judged = attribute({ decisions, identification, window }, minuteRows);
    expect(Object.keys(judged)).toEqual(['SHR-LIM-001']);
    expect(identification.like).toMatchInlineSnapshot(
      `"nginx (limit_req with burst=9 nodelay), redis-cell (CL.THROTTLE key 9 60 60), Envoy (max_tokens 10), AWS API Gateway (burst 10)"`,
    );
  });

  test('a bucket that lets more than the limit through in a minute breaks the rule of how slots come back', () => {
    const { decisions, identification } = called(fixedLimiter(bucket(120, 60))(), 20);
    const judged = attribute({ decisions, identification, window }, minuteRows);
    expect(Object.keys(judged)).toEqual(['SHR-LIM-005']);
  });

  test('a log that forgot says when, by the clock of the deployment', () => {
    const midnight = 5_000_000;
    const dayAt = (now: number) => (now < midnight ? 0 : 1);
    const base = simulate(steps, fixedLimiter(rollingLog)(), { seed: 1, noise: { delayMs: 20, lost: 0 } });
    const shift = midnight - 15_000 - (base[0]?.sent ?? 0);
    const limiter = fixedLimiter(forgetful((now) => dayAt(now + shift)))();
    const decisions = simulate(steps, limiter, { seed: 1, noise: { delayMs: 20, lost: 0 } });
    const epochMs = Date.UTC(2031, 2, 5) - midnight + shift;
    const { name, like } = identify(decisions, window, epochMs);
    expect(name).toBe('rolling log of 60 that forgot once what it had counted');
    expect(like).toMatchInlineSnapshot(
      `"a count that starts anew at midnight UTC, or a restart, between 23:59:45 and 00:00:15 UTC"`,
    );
    expect(identify(decisions, window).like).toContain('a restart');
  });

  test('a queue that is short says how many wait', () => {
    const { identification } = called(leakyQueueLimiter(10), 20);
    expect(identification.name).toBe('leaky bucket as a queue of 60 a minute, in which up to 10 wait');
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
