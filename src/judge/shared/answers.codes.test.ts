import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../core/operations.ts';
import { errorBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

const conforming: readonly [OperationId, number, string][] = [
  ['wci.list', 401, 'ANY_CODE'],
  ['wci.update', 409, 'CONFLICT'],
  ['wci.update', 422, 'REJECTED'],
  ['fla.lookup', 404, 'NOT_FOUND'],
  ['fla.subscribe', 404, 'FLIGHT_NOT_FOUND'],
  ['fla.subscribe', 409, 'EXTERNAL_FID_ALREADY_REGISTERED'],
  ['fla.subscribe', 409, 'CALLBACK_ALREADY_REGISTERED'],
  ['fla.lookup', 502, 'INVALID_PROVIDER_DATA'],
  ['fla.lookup', 500, 'INTERNAL_ERROR'],
  ['fla.lookup', 500, 'Authentication error'],
  ['fla.lookup', 500, 'AUTHENTICATION_ERROR'],
  ['fla.lookup', 500, 'Could not check the API key'],
];

test.each(conforming)('%s %i %s conforms', (operation, status, code) => {
  expect(judgeLast(exchange({ operation, status, body: errorBody(code) })).violated).toEqual([]);
});

const violating: readonly [OperationId, number, string, readonly string[]][] = [
  ['wci.status', 400, 'BAD_REQUEST', ['SHR-ERR-007']],
  ['wci.status', 400, 'validation_error', ['SHR-ERR-007']],
  ['wci.subscribe', 402, 'NO_ENTITLEMENT', ['SHR-ERR-008']],
  ['wci.status', 404, 'CHECKIN_NOT_FOUND', ['SHR-ERR-009']],
  ['wci.subscribe', 422, 'JOURNEY_REJECTED', ['SHR-ERR-010']],
  ['wci.update', 422, 'VALIDATION_ERROR', ['SHR-ERR-010', 'WCI-UPD-042']],
  ['wci.list', 500, 'Internal Server Error', ['SHR-ERR-011']],
  ['fla.lookup', 400, 'INVALID_DATE', ['SHR-ERR-022']],
  ['fla.lookup', 404, 'LEG_NOT_FOUND', ['SHR-ERR-023']],
  ['fla.subscribe', 409, 'CONFLICT', ['SHR-ERR-024']],
  ['fla.lookup', 502, 'UPSTREAM_DOWN', ['SHR-ERR-025']],
  ['fla.lookup', 500, 'DATABASE_ERROR', ['SHR-ERR-026']],
  ['fla.lookup', 500, 'Internal Server Error', ['SHR-ERR-026']],
];

test.each(violating)('%s %i %s violates', (operation, status, code, violated) => {
  expect(judgeLast(exchange({ operation, status, body: errorBody(code) })).violated).toEqual(violated);
});

describe('what nobody can tell', () => {
  test('a text on a flight 500 may be of the authentication layer', () => {
    const { unclear, violated } = judgeLast(
      exchange({ operation: 'fla.lookup', status: 500, body: errorBody('Something went wrong') }),
    );
    expect({ unclear, violated }).toEqual({ unclear: ['SHR-ERR-026'], violated: [] });
  });
});

test('retryAfter has no place where waiting does not help', () => {
  const withRetry = (status: number) =>
    judgeLast(
      exchange({ operation: 'wci.update', status, body: errorBody(codes[status] ?? 'X', { retryAfter: 5 }) }),
    );
  const codes: Readonly<Record<number, string>> = {
    400: 'VALIDATION_ERROR',
    404: 'NOT_FOUND',
    500: 'INTERNAL_ERROR',
  };
  expect(withRetry(400).violated).toEqual(['SHR-ERR-006']);
  expect(withRetry(404).violated).toEqual(['SHR-ERR-006']);
  expect(withRetry(409).violated).toEqual([]);
  expect(withRetry(500).violated).toEqual([]);
});

describe('what no request can provoke', () => {
  const missed = (...given: Parameters<typeof exchange>) => judgeLast(exchange(...given)).notApplicable;

  test.each<[OperationId, number, string, readonly string[]]>([
    ['wci.status', 404, 'NOT_FOUND', ['SHR-ERR-011']],
    ['fla.lookup', 400, 'VALIDATION_ERROR', ['SHR-ERR-026']],
    ['wci.status', 500, 'INTERNAL_ERROR', []],
    ['fla.lookup', 500, 'INTERNAL_ERROR', []],
  ])('%s %i %s misses %j', (operation, status, code, requirements) => {
    expect(missed({ operation, status, body: errorBody(code) })).toEqual(requirements);
  });

  test('is missed by no answer of a gateway, and by none without a refusal', () => {
    expect(missed({ operation: 'wci.status', status: 503, raw: 'busy' })).toEqual([]);
    expect(missed({ operation: 'fla.lookup', status: 200, body: [] })).toEqual([]);
  });

  test('is a 422 where a journey is rejected by 200, and a 200 where by 422', () => {
    const message = { success: false, message: 'REJECTED', reason: 'too close' };
    expect(missed({ operation: 'wci.subscribe', status: 200, body: message })).toContain('SHR-ERR-010');
    const refusal = { operation: 'wci.subscribe', status: 422, body: errorBody('REJECTED') } as const;
    expect(missed(refusal)).toContain('WCI-SUB-010');
    expect(judgeLast(exchange(refusal)).holds).toContain('SHR-ERR-010');
  });
});

describe('the quota that a subscribe shows', () => {
  const samples = (quota: unknown) =>
    judgeLast(exchange({ operation: 'wci.subscribe', status: 200, body: { ...subscribed(), quota } }));

  test('is judged where it is shown', () => {
    expect(samples({ included_units: 3, consumed_units: 1 })).toMatchObject({
      holds: expect.arrayContaining(['WCI-QTA-009', 'WCI-SUB-011']) as unknown,
      notApplicable: [],
    });
    expect(samples({ included_units: '3' }).violated).toEqual(['WCI-SUB-011']);
  });

  test.each([null, undefined])('is missed where it is %s', (quota) => {
    expect(samples(quota).notApplicable).toEqual(['WCI-QTA-009', 'WCI-SUB-011']);
  });
});
