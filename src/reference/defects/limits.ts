import type { OperationId } from '../../core/operations.ts';
import type { Incoming } from '../shared/call.ts';
import { standardErrorBody } from '../shared/documented.ts';
import type { Refusal } from '../shared/refusal.ts';
import {
  brokenWhenFull,
  epochWindow,
  firstRequestWindow,
  tokenBucket,
  unlimited,
  weightedWindows,
} from '../shared/windowCounters.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('shared');

const isMultipart = ({ request }: Incoming) =>
  request.headers.get('content-type')?.startsWith('multipart/') === true;
const isAlias = ({ query }: Incoming) => query.has('checkinId');

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
    'SHR-LIM-003',
    { minuteCounter: firstRequestWindow },
  ),
  sometimes(
    'minute-epoch-window',
    'The minute limit is a fixed window aligned to the clock minute.',
    'SHR-LIM-004',
    { minuteCounter: epochWindow },
  ),
  sometimes('minute-token-bucket', 'The minute limit refills continuously.', 'SHR-LIM-005', {
    minuteCounter: tokenBucket,
  }),
  sometimes(
    'minute-weighted-windows',
    'The minute limit weighs the previous fixed window.',
    'SHR-LIM-003 also SHR-LIM-021',
    { minuteCounter: weightedWindows },
  ),
  always(
    'minute-unlimited',
    'There is no minute limit.',
    'SHR-LIM-002 also SHR-LIM-003 SHR-LIM-004 SHR-LIM-005 SHR-LIM-013 SHR-LIM-014 SHR-LIM-025',
    { minuteCounter: unlimited },
  ),
  sometimes(
    'refused-with-503',
    'A request beyond a limit is answered 503.',
    'SHR-LIM-002 also SHR-ERR-017 SHR-ERR-018',
    {
      throttleStatus: 503,
    },
  ),
  sometimes(
    'minute-breaks-when-full',
    'Each request beyond the minute limit of a key is answered 500, then and ever after.',
    'SHR-LIM-002',
    {
      minuteCounter: brokenWhenFull,
    },
  ),
  sometimes(
    'refused-with-403',
    'A request beyond a limit is answered 403.',
    'SHR-LIM-002 also SHR-AUT-014 SHR-ERR-017 SHR-ERR-018 WCI-LST-001',
    {
      throttleStatus: 403,
    },
  ),
  sometimes('minute-one-too-many', 'The 61st request of a minute passes.', 'SHR-LIM-002', {
    limits: (limits) => ({ ...limits, perMinute: limits.perMinute + 1 }),
  }),
  sometimes('minute-doubled', 'The minute limit is twice as high.', 'SHR-LIM-002 also SHR-LIM-025', {
    limits: (limits) => ({ ...limits, perMinute: 2 * limits.perMinute }),
  }),
  sometimes('minute-one-too-few', 'The 60th request of a minute is refused.', 'SHR-LIM-001', {
    limits: (limits) => ({ ...limits, perMinute: limits.perMinute - 1 }),
  }),
  always('hour-unlimited', 'There is no hour limit.', 'SHR-LIM-008', { hourCounter: unlimited }),
  sometimes(
    'hour-first-request-window',
    'The hour limit is a fixed window that opens with the first request.',
    'SHR-LIM-009',
    { hourCounter: firstRequestWindow },
  ),
  sometimes('hour-per-enterprise', 'The keys of an enterprise share one hour.', 'SHR-LIM-011', {
    sharesHour: true,
  }),
  sometimes('hour-epoch-window', 'The hour limit is a fixed clock hour.', 'SHR-LIM-009', {
    hourCounter: epochWindow,
  }),
  sometimes('hour-token-bucket', 'The hour limit refills continuously.', 'SHR-LIM-008', {
    hourCounter: tokenBucket,
  }),
  sometimes('hour-one-too-many', 'The 1001st request of an hour passes.', 'SHR-LIM-008', {
    limits: (limits) => ({ ...limits, perHour: limits.perHour + 1 }),
  }),
  sometimes('hour-one-too-few', 'The 1000th request of an hour is refused.', 'SHR-LIM-007', {
    limits: (limits) => ({ ...limits, perHour: limits.perHour - 1 }),
  }),
  sometimes('limit-per-enterprise', 'All keys of an enterprise share one budget.', 'SHR-LIM-011', {
    limitScope: ({ enterprise }) => enterprise.id,
  }),
  sometimes(
    'limit-shared-by-later-keys',
    'The keys of an enterprise that were issued after its first one share one budget.',
    'SHR-LIM-011',
    { limitScope: ({ enterprise, key }) => (key.place === 0 ? key.value : `${enterprise.id} later`) },
  ),
  sometimes(
    'limit-second-key-doubled',
    'The second key of an enterprise has twice the budget.',
    'SHR-LIM-002',
    {
      // Asked for once to admit a request and once to count it.
      limitScope: ({ key }, { tally }) =>
        key.place === 1 ? `${key.value} ${Math.ceil(tally.next(key.value) / 2) % 2}` : key.value,
    },
  ),
  sometimes(
    'limit-per-address',
    'All keys from one address share one budget.',
    'SHR-LIM-012 also SHR-LIM-011',
    { limitScope: (_caller, { info }) => `address ${info.remoteAddress ?? ''}` },
  ),
  sometimes('limit-per-api', 'Each API has a budget of its own.', 'SHR-LIM-014 also SHR-LIM-029', {
    limitScope: ({ key }, { api }) => `${key.value} ${api}`,
  }),
  sometimes(
    'limit-per-route',
    'Each operation has a budget of its own.',
    'SHR-LIM-013 also SHR-LIM-014 SHR-LIM-016 SHR-LIM-017 SHR-LIM-029',
    { limitScope: ({ key }, { operation }) => `${key.value} ${operation}` },
  ),
  sometimes('limit-per-connection', 'Each connection has a budget of its own.', 'SHR-LIM-024', {
    limitScope: ({ key }, { info }) => `${key.value} ${info.connection ?? ''}`,
  }),
  sometimes(
    'limit-racy',
    'Judging and counting a request are two steps, so that a burst slips through.',
    'SHR-LIM-025',
    { atomicAdmission: false },
  ),
  sometimes('limit-spares-updates', 'Updates do not count.', 'SHR-LIM-013', {
    counts: (operation) => operation !== 'wci.update',
  }),
  sometimes('limit-spares-subscribes', 'Subscribes count against the quota only.', 'SHR-LIM-017', {
    counts: (operation) => operation !== 'wci.subscribe',
  }),
  sometimes(
    'limit-spares-flights',
    'Flight lookups do not count.',
    'SHR-LIM-014 also SHR-LIM-002 SHR-LIM-015',
    { counts: (operation) => operation !== 'fla.lookup' },
  ),
  // More than 60 lists in a minute pass as well, which watching sees.
  sometimes('limit-spares-lists', 'Lists do not count.', 'SHR-LIM-008 also SHR-LIM-002 SHR-LIM-005', {
    counts: (operation) => operation !== 'wci.list',
  }),
  sometimes('limit-spares-flight-subscribes', 'Flight subscribes do not count.', 'SHR-LIM-016', {
    counts: (operation) => operation !== 'fla.subscribe',
  }),
  sometimes('limit-spares-multipart', 'Multipart requests do not count.', 'SHR-LIM-013', {
    counts: (_operation, _status, incoming) => !isMultipart(incoming),
  }),
  sometimes('limit-spares-alias', 'Reads by checkinId do not count.', 'SHR-LIM-013', {
    counts: (_operation, _status, incoming) => !isAlias(incoming),
  }),
  sometimes(
    'limit-per-forwarded-address',
    'Each address that X-Forwarded-For names has a budget of its own.',
    'SHR-LIM-029',
    { limitScope: ({ key }, { request }) => `${key.value} ${request.headers.get('x-forwarded-for') ?? ''}` },
  ),
  sometimes('limit-per-client', 'Each User-Agent has a budget of its own.', 'SHR-LIM-029', {
    limitScope: ({ key }, { request }) => `${key.value} ${request.headers.get('user-agent') ?? ''}`,
  }),
  sometimes('limit-passes-updates', 'Updates pass a limit that is used up.', 'SHR-LIM-029', {
    throttles: ({ operation }) => operation !== 'wci.update',
  }),
  sometimes(
    'limit-passes-lookups',
    'Flight lookups pass a limit that is used up.',
    'SHR-LIM-029 also SHR-LIM-002',
    {
      throttles: ({ operation }) => operation !== 'fla.lookup',
    },
  ),
  sometimes(
    'limit-passes-flight-subscribes',
    'Flight subscribes pass a limit that is used up.',
    'SHR-LIM-029',
    { throttles: ({ operation }) => operation !== 'fla.subscribe' },
  ),
  sometimes('limit-passes-multipart', 'Multipart requests pass a limit that is used up.', 'SHR-LIM-029', {
    throttles: (incoming) => !isMultipart(incoming),
  }),
  sometimes('limit-passes-alias', 'Reads by checkinId pass a limit that is used up.', 'SHR-LIM-029', {
    throttles: (incoming) => !isAlias(incoming),
  }),
  sometimes('limit-counts-legs', 'A lookup counts once per leg that it returns.', 'SHR-LIM-015', {
    surcharge: (operation, body) => (operation === 'fla.lookup' && Array.isArray(body) ? body.length - 1 : 0),
  }),
  sometimes('limit-flight-subscribe-twice', 'A flight subscribe also adds GET usage.', 'SHR-LIM-016', {
    surcharge: (operation) => (operation === 'fla.subscribe' ? 1 : 0),
  }),
  sometimes(
    'limit-after-the-fact',
    'A throttled request is refused only after it has been carried out.',
    'SHR-LIM-023 SHR-LIM-028',
    { limitsStage: 'done' },
  ),
  always('retry-after-missing', 'Web check-in gives retryAfter in no body.', 'SHR-LIM-018 also SHR-LIM-020', {
    errorBody: retryAfterOf('wci', (body) => delete body.retryAfter),
  }),
  sometimes('retry-after-missing-flights', 'Flight alerts give no retryAfter.', 'SHR-LIM-019', {
    errorBody: retryAfterOf('fla', (body) => delete body.retryAfter),
  }),
  sometimes('throttle-body-bare-flights', 'A 429 of flight alerts has no success.', 'SHR-LIM-030', {
    errorBody: retryAfterOf('fla', (body) => delete body.success),
  }),
  sometimes('throttle-body-bare', 'A 429 has no success member.', 'SHR-LIM-022 also SHR-ERR-002', {
    errorBody: retryAfterOf('wci', (body) => delete body.success),
  }),
];
