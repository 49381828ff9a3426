import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../core/operations.ts';
import { errorBody } from '../../../test/support/judge/bodies.ts';
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
