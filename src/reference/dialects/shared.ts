import { refuseContentType } from '../shared/body.ts';
import { codedUnauthorized, textUnauthorized, unauthorizedText } from '../shared/documented.ts';
import { point, type DialectPoint } from './point.ts';

const isSuccess = (status: number) => status < 300;

/** Open points that both APIs share: keys, rate limits, errors. */
export const sharedDialectPoints: readonly DialectPoint[] = [
  point('counted-requests', 'SHR-OPN-001', {
    every: {},
    successful: { counts: (_operation, status) => isSuccess(status) },
    'successful-lookups': { counts: (operation, status) => operation !== 'fla.lookup' || isSuccess(status) },
  }),
  point('throttled-requests', 'SHR-OPN-002', { uncounted: {}, counted: { countsRefused: true } }),
  point('retry-after', 'SHR-OPN-004', {
    integer: {},
    fraction: { retryAfter: (waitMs) => waitMs / 1000 },
    text: { retryAfter: (waitMs) => String(Math.max(1, Math.ceil(waitMs / 1000))) },
    constant: { retryAfter: (_waitMs, windowMs) => windowMs / 1000 },
  }),
  point('unauthorized-body', 'SHR-OPN-005', {
    'by-api': {},
    code: { unauthorizedBody: (failure, _incoming, codes) => codedUnauthorized(failure, codes) },
    text: { unauthorizedBody: (failure) => textUnauthorized(failure) },
    'text-alone': {
      unauthorizedBody: (failure, { api }) =>
        api === 'webcheckin' ? textUnauthorized(failure) : { error: unauthorizedText[failure] },
    },
  }),
  point('throttle-headers', 'SHR-OPN-006', {
    none: {},
    'retry-after': {
      throttleHeaders: (retryAfter) => ({ 'retry-after': String(Math.ceil(Number(retryAfter))) }),
    },
    'rate-limit': {
      throttleHeaders: (retryAfter) => ({
        'ratelimit-limit': '60',
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(Math.ceil(Number(retryAfter))),
      }),
    },
  }),
  point('limits-order', 'SHR-OPN-007', { first: {}, 'after-validation': { limitsStage: 'validated' } }),
  point('unknown-keys', 'SHR-OPN-007', { unthrottled: {}, throttled: { throttlesUnknownKeys: true } }),
  point('unknown-members', 'SHR-OPN-009', { ignored: {}, refused: { unknownMembers: 'refused' } }),
  point('foreign-content-type', 'SHR-OPN-010', {
    'as-json': {},
    'http-400': { foreignContentType: refuseContentType(400) },
    'http-415': { foreignContentType: refuseContentType(415) },
    'http-500': { foreignContentType: refuseContentType(500) },
  }),
  point('revocation-delay', 'SHR-OPN-011', {
    none: {},
    cached: { outlives: (_key, ageMs) => ageMs < 5_000 },
    'cached-by-one-of-two': {
      outlives: ({ value }, ageMs, { tally }) => ageMs < 5_000 && tally.next(`node ${value}`) % 2 === 0,
    },
  }),
  point('repeated-key-header', 'SHR-OPN-012', {
    exact: {},
    first: { matchKey: (presented, keys) => keys.find(presented.split(',', 1)[0]?.trim() ?? '') },
  }),
];
