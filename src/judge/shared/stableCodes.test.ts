import { expect, test } from 'vitest';
import { errorBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const refused = (code: string, more: object = {}) =>
  exchange({
    operation: 'wci.list',
    status: 401,
    key: null,
    enterprise: null,
    body: errorBody(code),
    ...more,
  });
const withKey = { requestHeaders: [['x-api-key', 'unknown']] as const };

test('a missing key always has the same code', () => {
  expect(judgeLast(refused('MISSING_KEY'), refused('MISSING_KEY')).holds).toContain('SHR-ERR-005');
  expect(judgeLast(refused('MISSING_KEY'), refused('NO_KEY')).violated).toEqual(['SHR-ERR-005']);
});

test('unknown keys that a run makes up always have the same code', () => {
  const unknown = { ...withKey, key: 'unknown' };
  expect(judgeLast(refused('UNKNOWN_KEY', unknown), refused('INVALID_KEY', unknown)).violated).toEqual([
    'SHR-ERR-005',
  ]);
  const other = { ...unknown, requestHeaders: [['x-api-key', 'another']] as const };
  expect(judgeLast(refused('UNKNOWN_KEY', unknown), refused('INVALID_KEY', other)).violated).toEqual([
    'SHR-ERR-005',
  ]);
});

test('one answer alone proves nothing of stability', () => {
  expect(judgeLast(refused('MISSING_KEY')).holds).not.toContain('SHR-ERR-005');
});

test('missing, unknown, revoked and misplaced keys may have codes of their own', () => {
  const sequence = [
    refused('MISSING_KEY'),
    refused('UNKNOWN_KEY', withKey),
    refused('REVOKED_KEY', withKey),
    refused('WRONG_SCHEME', { requestHeaders: [['Authorization', 'Bearer x']] }),
    refused('KEY_IN_QUERY', { query: 'api_key=x' }),
  ];
  for (const [index] of sequence.entries()) {
    expect(judgeLast(...sequence.slice(0, index + 1)).violated).toEqual([]);
  }
});

test('each operation may have a code of its own', () => {
  const other = exchange({
    operation: 'wci.status',
    status: 401,
    key: null,
    enterprise: null,
    body: errorBody('B'),
  });
  expect(judgeLast(refused('A'), other).violated).toEqual([]);
});

const throttled = (code: string) =>
  exchange({ operation: 'wci.status', status: 429, body: errorBody(code, { retryAfter: 3 }) });

test('minute and hour may have codes of their own, and no more', () => {
  expect(judgeLast(throttled('MINUTE'), throttled('HOUR'), throttled('MINUTE')).violated).toEqual([]);
  const violated = judgeLast(...['R1', 'R2', 'R3', 'R4'].map(throttled)).violated;
  expect(violated).toEqual(['SHR-ERR-005']);
});

test('one code in two spellings is not stable', () => {
  for (const other of ['rate_limited', 'RATE_LIMITED '])
    expect(judgeLast(throttled('RATE_LIMITED'), throttled(other)).violated).toEqual(['SHR-ERR-005']);
});

test('texts of several components about a key may differ in their capitals', () => {
  const sequence = [refused('Invalid API key', withKey), refused('Invalid API Key', withKey)];
  expect(judgeLast(...sequence).violated).toEqual([]);
});
