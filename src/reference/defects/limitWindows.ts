import { neverFreed, penalty, rollingLog } from '../shared/windowCounters.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

const secondsOf = (waitMs: number) => Math.max(1, Math.ceil(waitMs / 1000));
const isOfTheHour = (windowMs: number) => windowMs > 60_000;
const sumOf = (text: string) => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

/** Windows of another length than the documented ones, waits that do not fit them, and counters that nobody shares. */
export const limitWindowDefects: readonly Defect[] = [
  sometimes(
    'minute-of-ninety-seconds',
    'A place in the minute window is free again only after 90 seconds.',
    'SHR-LIM-006 also SHR-LIM-003',
    { minuteCounter: (limit, windowMs) => rollingLog(limit, 1.5 * windowMs) },
  ),
  sometimes(
    'minute-of-fifty-five-seconds',
    'A place in the minute window is free again after 55 seconds.',
    'SHR-LIM-005',
    { minuteCounter: (limit) => rollingLog(limit, 55_000) },
  ),
  ...[57, 58.5, 59.9].map((seconds) =>
    sometimes(
      `minute-of-${seconds}-seconds`,
      `A place in the minute window is free again after ${seconds} seconds.`,
      'SHR-LIM-005',
      { minuteCounter: (limit) => rollingLog(limit, seconds * 1000) },
    ),
  ),
  ...[3300, 3540, 3599.9].map((seconds) =>
    sometimes(
      `hour-of-${seconds}-seconds`,
      `A place in the hour window is free again after ${seconds} seconds.`,
      'SHR-LIM-009',
      { hourCounter: (limit) => rollingLog(limit, seconds * 1000) },
    ),
  ),
  sometimes(
    'minute-never-freed',
    'A counter of the minute whose end was never set refuses its key for good.',
    'SHR-LIM-006 also SHR-LIM-007 SHR-LIM-021',
    { minuteCounter: neverFreed },
  ),
  sometimes(
    'minute-penalty',
    'A key that has used up its minute is refused for ten minutes.',
    'SHR-LIM-006 also SHR-LIM-020',
    { minuteCounter: penalty(600_000) },
  ),
  sometimes(
    'hour-never-freed',
    'A counter of the hour whose end was never set refuses its key for good.',
    'SHR-LIM-009',
    { hourCounter: neverFreed },
  ),
  ...[2, 4].map((processes) =>
    sometimes(
      `limit-per-process-of-${processes}`,
      `${processes} processes that take turns count for themselves.`,
      'SHR-LIM-002 also SHR-LIM-008',
      {
        // Asked for once to admit a request and once to count it.
        limitScope: ({ key }, { tally }) =>
          `${key.value} ${Math.ceil(tally.next(key.value) / 2) % processes}`,
      },
    ),
  ),
  sometimes(
    'limit-per-process-of-a-connection',
    'Two processes that share the connections among them count for themselves.',
    'SHR-LIM-024 also SHR-LIM-025',
    { limitScope: ({ key }, { info }) => `${key.value} ${sumOf(info.connection ?? '') % 2}` },
  ),
  always('retry-after-milliseconds', 'retryAfter is given in milliseconds.', 'SHR-LIM-020', {
    retryAfter: (waitMs) => Math.ceil(waitMs),
  }),
  always('retry-after-zero', 'retryAfter is always 0.', 'SHR-LIM-020', { retryAfter: () => 0 }),
  always('retry-after-a-second', 'retryAfter is always a second.', 'SHR-LIM-021', { retryAfter: () => 1 }),
  sometimes(
    'retry-after-hour-as-minute',
    'retryAfter of an hour breach is negative, counted from the minute.',
    'SHR-LIM-020',
    { retryAfter: (waitMs, windowMs) => (windowMs > 60_000 ? -60 : Math.ceil(waitMs / 1000)) },
  ),
  sometimes('retry-after-hour-zero', 'retryAfter of an hour breach is 0.', 'SHR-LIM-020', {
    retryAfter: (waitMs, windowMs) => (windowMs > 60_000 ? 0 : Math.ceil(waitMs / 1000)),
  }),
  sometimes(
    'retry-after-hour-milliseconds',
    'retryAfter of an hour breach is in milliseconds.',
    'SHR-LIM-020',
    {
      retryAfter: (waitMs, windowMs) => (windowMs > 60_000 ? Math.ceil(waitMs) : Math.ceil(waitMs / 1000)),
    },
  ),
  sometimes(
    'retry-after-hour-capped',
    'retryAfter of an hour breach is never more than a minute.',
    'SHR-LIM-021',
    {
      retryAfter: (waitMs) => Math.min(60, Math.ceil(waitMs / 1000)),
    },
  ),
  sometimes('retry-after-understated', 'retryAfter is half of the wait.', 'SHR-LIM-021', {
    retryAfter: (waitMs) => Math.max(1, Math.ceil(waitMs / 2000)),
  }),
  sometimes('retry-after-second-short', 'retryAfter is a second short.', 'SHR-LIM-021', {
    retryAfter: (waitMs) => secondsOf(waitMs) - 1,
  }),
  sometimes('retry-after-minute-short', 'retryAfter of a minute breach is a second short.', 'SHR-LIM-021', {
    retryAfter: (waitMs, windowMs) => secondsOf(waitMs) - (isOfTheHour(windowMs) ? 0 : 1),
  }),
  sometimes('retry-after-hour-short', 'retryAfter of an hour breach is a second short.', 'SHR-LIM-021', {
    retryAfter: (waitMs, windowMs) => secondsOf(waitMs) - (isOfTheHour(windowMs) ? 1 : 0),
  }),
];
