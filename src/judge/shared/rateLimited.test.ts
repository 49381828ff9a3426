import { describe, expect, test } from 'vitest';
import { errorBody, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';

const checkin = { operation: 'wci.update', status: 429 } as const;
const flight = { operation: 'fla.lookup', status: 429 } as const;

test.each([1, 60, 59.7, 0.25, 3600, 3601, '17', ' 17 ', '0.5'])(
  'retryAfter %j is a number of seconds',
  (retryAfter) => {
    const { holds, violated } = judgeLast(
      exchange({ ...checkin, body: errorBody('RATE_LIMITED', { retryAfter }) }),
    );
    expect(violated).toEqual([]);
    expect(holds).toEqual(expect.arrayContaining(['SHR-LIM-018', 'SHR-LIM-020', 'SHR-LIM-022']));
  },
);

test('retryAfter 0 may be the rest of a second rounded down', () => {
  const { violated, unclear } = judgeLast(
    exchange({ ...checkin, body: errorBody('RATE_LIMITED', { retryAfter: 0 }) }),
  );
  expect({ violated, unclear }).toEqual({ violated: [], unclear: ['SHR-LIM-020'] });
});

describe('retryAfter 0 and what comes after it', () => {
  const zero = (at: number, more: Partial<ExchangeSketch> = {}) =>
    exchange({ ...checkin, at, body: errorBody('RATE_LIMITED', { retryAfter: 0 }), ...more });
  const later = (at: number) => exchange({ operation: 'wci.list', status: 200, at, body: listBody([]) });

  test('shows a longer wait where all that came after a silent second was refused as well', () => {
    const { violated } = judgeLast(zero(0), zero(10), zero(20_000), zero(20_010), later(40_000));
    expect(violated).toEqual(['SHR-LIM-020']);
  });

  test.each([
    ['where one of the next was served', [zero(0), later(20_000), zero(20_010), later(40_000)]],
    ['where one was served along with it', [later(0), zero(10), zero(20_000), later(40_000)]],
    ['within the second', [zero(0), zero(900), zero(1900), later(2500), later(40_000)]],
    ['with another key', [zero(0), zero(20_000, { key: 'primary#2' }), later(40_000)]],
    ['before it is known what else was under way', [zero(0), zero(20_000)]],
  ])('proves nothing %s', (_title, exchanges) => {
    expect(judgeLast(...exchanges).violated).toEqual([]);
  });
});

test('the limiter of flight alerts may speak in texts only, which is a warning', () => {
  const { holds, violated } = judgeLast(
    exchange({ ...flight, body: { error: 'Slow down', retryAfter: 12 } }),
  );
  expect(holds).toEqual(expect.arrayContaining(['SHR-ERR-018', 'SHR-LIM-019', 'SHR-LIM-020']));
  expect(violated).toEqual(['SHR-LIM-030']);
});

describe('broken refusals', () => {
  const body = errorBody('RATE_LIMITED', { retryAfter: 5 });
  const cases: readonly [string, ExchangeSketch, readonly string[]][] = [
    ['without retryAfter', { ...checkin, body: errorBody('RATE_LIMITED') }, ['SHR-LIM-018']],
    [
      'with retryAfter null',
      { ...checkin, body: errorBody('RATE_LIMITED', { retryAfter: null }) },
      ['SHR-LIM-018'],
    ],
    [
      'with the header only',
      {
        ...checkin,
        body: errorBody('RATE_LIMITED'),
        headers: [['Retry-After', '5']],
      },
      ['SHR-LIM-018'],
    ],
    ['of flight alerts without retryAfter', { ...flight, body: errorBody('RATE_LIMITED') }, ['SHR-LIM-019']],
    ['of flight alerts as a page', { ...flight, raw: 'Too Many Requests' }, ['SHR-LIM-019', 'SHR-LIM-030']],
    [
      'of flight alerts without success',
      { ...flight, body: { error: 'X', message: 'Y', retryAfter: 5 } },
      ['SHR-LIM-030'],
    ],
    ['with milliseconds', { ...checkin, body: { ...body, retryAfter: 42_000 } }, ['SHR-LIM-020']],
    ['with a negative wait', { ...checkin, body: { ...body, retryAfter: -1 } }, ['SHR-LIM-020']],
    [
      'with a date',
      { ...checkin, body: { ...body, retryAfter: '2026-03-01T12:00:00.000Z' } },
      ['SHR-LIM-020'],
    ],
    ['with an object', { ...checkin, body: { ...body, retryAfter: { seconds: 5 } } }, ['SHR-LIM-020']],
    [
      'without success',
      { ...checkin, body: { error: 'X', message: 'Y', retryAfter: 5 } },
      ['SHR-ERR-002', 'SHR-LIM-022'],
    ],
    [
      'without message',
      { ...checkin, body: { success: false, error: 'X', retryAfter: 5 } },
      ['SHR-ERR-004', 'SHR-LIM-022'],
    ],
    ['as a page', { ...checkin, raw: 'Too Many Requests' }, ['SHR-ERR-001', 'SHR-LIM-018', 'SHR-LIM-022']],
  ];

  test.each(cases)('%s', (_, sketch, violated) => {
    expect(judgeLast(exchange(sketch)).violated).toEqual(violated);
  });
});
