import type { OperationId } from '../../core/operations.ts';
import { standardErrorBody } from '../shared/policy.ts';
import type { Refusal } from '../shared/refusal.ts';
import {
  epochWindow,
  firstRequestWindow,
  rollingLog,
  tokenBucket,
  unlimited,
  weightedWindows,
} from '../shared/windowCounters.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

/** The error body with `retryAfter` changed on the 429s of one API. */
function retryAfterOf(api: 'wci' | 'fla', change: (body: Record<string, unknown>) => void) {
  return (refusal: Refusal, operation: OperationId) => {
    const body = standardErrorBody(refusal);
    if (refusal.status === 429 && operation.startsWith(api)) change(body);
    return body;
  };
}

/** Mistakes in the two rate limits. */
export const limitDefects: readonly Defect[] = [
  sometimes(
    'minute-first-request-window',
    'The minute limit is a fixed window that opens with the first request.',
    { minuteCounter: firstRequestWindow },
    ['SHR-LIM-003'],
  ),
  sometimes(
    'minute-epoch-window',
    'The minute limit is a fixed window aligned to the clock minute.',
    { minuteCounter: epochWindow },
    ['SHR-LIM-004'],
  ),
  sometimes('minute-token-bucket', 'The minute limit refills continuously.', { minuteCounter: tokenBucket }, [
    'SHR-LIM-005',
  ]),
  sometimes(
    'minute-weighted-windows',
    'The minute limit weighs the previous fixed window.',
    { minuteCounter: weightedWindows },
    ['SHR-LIM-003'],
    ['SHR-LIM-021'],
  ),
  always(
    'minute-unlimited',
    'There is no minute limit.',
    { minuteCounter: unlimited },
    ['SHR-LIM-002'],
    ['SHR-LIM-003', 'SHR-LIM-004', 'SHR-LIM-005', 'SHR-LIM-013', 'SHR-LIM-014', 'SHR-LIM-025'],
  ),
  sometimes(
    'minute-one-too-many',
    'The 61st request of a minute passes.',
    { limits: (limits) => ({ ...limits, perMinute: limits.perMinute + 1 }) },
    ['SHR-LIM-002'],
  ),
  sometimes(
    'minute-doubled',
    'The minute limit is twice as high.',
    { limits: (limits) => ({ ...limits, perMinute: 2 * limits.perMinute }) },
    ['SHR-LIM-002'],
    ['SHR-LIM-025'],
  ),
  sometimes(
    'minute-one-too-few',
    'The 60th request of a minute is refused.',
    { limits: (limits) => ({ ...limits, perMinute: limits.perMinute - 1 }) },
    ['SHR-LIM-001'],
  ),
  always('hour-unlimited', 'There is no hour limit.', { hourCounter: unlimited }, ['SHR-LIM-008']),
  sometimes(
    'hour-first-request-window',
    'The hour limit is a fixed window that opens with the first request.',
    { hourCounter: firstRequestWindow },
    ['SHR-LIM-009'],
  ),
  sometimes('hour-epoch-window', 'The hour limit is a fixed clock hour.', { hourCounter: epochWindow }, [
    'SHR-LIM-009',
  ]),
  sometimes('hour-token-bucket', 'The hour limit refills continuously.', { hourCounter: tokenBucket }, [
    'SHR-LIM-008',
  ]),
  sometimes(
    'hour-one-too-many',
    'The 1001st request of an hour passes.',
    { limits: (limits) => ({ ...limits, perHour: limits.perHour + 1 }) },
    ['SHR-LIM-008'],
  ),
  sometimes(
    'hour-one-too-few',
    'The 1000th request of an hour is refused.',
    { limits: (limits) => ({ ...limits, perHour: limits.perHour - 1 }) },
    ['SHR-LIM-007'],
  ),
  sometimes(
    'limit-per-enterprise',
    'All keys of an enterprise share one budget.',
    { limitScope: ({ enterprise }) => enterprise.id },
    ['SHR-LIM-011'],
  ),
  sometimes(
    'limit-per-address',
    'All keys from one address share one budget.',
    { limitScope: (_caller, { info }) => `address ${info.remoteAddress ?? ''}` },
    ['SHR-LIM-012'],
    ['SHR-LIM-011'],
  ),
  sometimes(
    'limit-per-api',
    'Each API has a budget of its own.',
    { limitScope: ({ key }, { api }) => `${key.value} ${api}` },
    ['SHR-LIM-014'],
  ),
  sometimes(
    'limit-per-route',
    'Each operation has a budget of its own.',
    { limitScope: ({ key }, { operation }) => `${key.value} ${operation}` },
    ['SHR-LIM-013'],
    ['SHR-LIM-014', 'SHR-LIM-016', 'SHR-LIM-017'],
  ),
  sometimes(
    'limit-per-connection',
    'Each connection has a budget of its own.',
    { limitScope: ({ key }, { info }) => `${key.value} ${info.connection ?? ''}` },
    ['SHR-LIM-024'],
  ),
  sometimes(
    'limit-racy',
    'Judging and counting a request are two steps, so that a burst slips through.',
    { atomicAdmission: false },
    ['SHR-LIM-025'],
  ),
  sometimes(
    'limit-spares-updates',
    'Updates do not count.',
    { counts: (operation) => operation !== 'wci.update' },
    ['SHR-LIM-013'],
  ),
  sometimes(
    'limit-spares-subscribes',
    'Subscribes count against the quota only.',
    { counts: (operation) => operation !== 'wci.subscribe' },
    ['SHR-LIM-017'],
  ),
  sometimes(
    'limit-spares-flights',
    'Flight lookups do not count.',
    { counts: (operation) => operation !== 'fla.lookup' },
    ['SHR-LIM-014'],
    ['SHR-LIM-002', 'SHR-LIM-015'],
  ),
  sometimes(
    'limit-counts-legs',
    'A lookup counts once per leg that it returns.',
    {
      surcharge: (operation, body) =>
        operation === 'fla.lookup' && Array.isArray(body) ? body.length - 1 : 0,
    },
    ['SHR-LIM-015'],
  ),
  sometimes(
    'limit-flight-subscribe-twice',
    'A flight subscribe also adds GET usage.',
    { surcharge: (operation) => (operation === 'fla.subscribe' ? 1 : 0) },
    ['SHR-LIM-016'],
  ),
  sometimes(
    'limit-after-the-fact',
    'A throttled request is refused only after it has been carried out.',
    { limitsStage: 'done' },
    ['SHR-LIM-023', 'SHR-LIM-028'],
  ),
  always(
    'retry-after-milliseconds',
    'retryAfter is given in milliseconds.',
    { retryAfter: (waitMs) => Math.ceil(waitMs) },
    ['SHR-LIM-020'],
  ),
  always('retry-after-zero', 'retryAfter is always 0.', { retryAfter: () => 0 }, ['SHR-LIM-020']),
  always('retry-after-a-second', 'retryAfter is always a second.', { retryAfter: () => 1 }, ['SHR-LIM-021']),
  sometimes(
    'retry-after-hour-as-minute',
    'retryAfter of an hour breach is negative, counted from the minute.',
    { retryAfter: (waitMs, windowMs) => (windowMs > 60_000 ? -60 : Math.ceil(waitMs / 1000)) },
    ['SHR-LIM-020'],
  ),
  always(
    'retry-after-missing',
    'Web check-in gives retryAfter in no body.',
    { errorBody: retryAfterOf('wci', (body) => delete body.retryAfter) },
    ['SHR-LIM-018'],
    ['SHR-LIM-020'],
  ),
  sometimes(
    'retry-after-missing-flights',
    'Flight alerts give no retryAfter.',
    { errorBody: retryAfterOf('fla', (body) => delete body.retryAfter) },
    ['SHR-LIM-019'],
  ),
  sometimes(
    'throttle-body-bare',
    'A 429 has no success member.',
    { errorBody: retryAfterOf('wci', (body) => delete body.success) },
    ['SHR-LIM-022'],
    ['SHR-ERR-002'],
  ),

  sometimes(
    'minute-of-ninety-seconds',
    'A place in the minute window is free again only after 90 seconds.',
    { minuteCounter: (limit, windowMs) => rollingLog(limit, 1.5 * windowMs) },
    ['SHR-LIM-006'],
    ['SHR-LIM-003', 'SHR-LIM-020'],
  ),
  sometimes(
    'retry-after-understated',
    'retryAfter is half of the wait.',
    { retryAfter: (waitMs) => Math.max(1, Math.ceil(waitMs / 2000)) },
    ['SHR-LIM-021'],
  ),
];
