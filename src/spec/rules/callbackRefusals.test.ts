import { expect, test } from 'vitest';
import { errorBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { callOf } from '../../trace/call.ts';
import { judgeCallbackRefusal } from './callbackRefusals.ts';

const leg = {
  ...{ airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' },
  departure_datetime: '2026-07-29T10:30:00',
};
const booking = { pnr: 'ABC123', flights: [leg], passengers: [{ first_name: 'Testa', last_name: 'G' }] };
const header = 'X-API-Key: gatecheck';
const url = 'https://example.com/hook';

function broken(callbackData: unknown, status: number, code: string, more: object = {}): readonly string[] {
  const call = callOf(
    exchange({
      ...{ operation: 'wci.subscribe', status, body: errorBody(code) },
      requestHeaders: [['Content-Type', 'application/json']],
      sent: { ...booking, callbackData, ...more },
    }),
  );
  return call ? judgeCallbackRefusal(call).flatMap(([rule, wrong]) => (wrong ? [rule] : [])) : [];
}

test('a callback whose value fails validation is answered 422 REJECTED', () => {
  const given = { callbackUrl: url, auth_header: 'X-Custom: gatecheck' };
  expect(broken(given, 422, 'REJECTED')).toEqual([]);
  expect(broken(given, 400, 'VALIDATION_ERROR')).toEqual(['WCI-CBR-020']);
  expect(broken(given, 404, 'NOT_FOUND')).toEqual(['WCI-CBR-013']);
  expect(broken(given, 422, 'VALIDATION_ERROR')).toEqual(['WCI-CBR-013']);
});

test('one that is malformed may be answered 400 as well', () => {
  expect(broken({ callbackUrl: url }, 400, 'VALIDATION_ERROR')).toEqual([]);
  expect(broken('hook', 422, 'REJECTED')).toEqual([]);
  expect(broken({ callbackUrl: 5, auth_header: 'none' }, 400, 'VALIDATION_ERROR')).toEqual([]);
});

test('what may be refused for anything else says nothing', () => {
  const given = { callbackUrl: url, auth_header: 'X-Custom: gatecheck' };
  expect(broken(given, 400, 'VALIDATION_ERROR', { passengers: [] })).toEqual([]);
  expect(broken(given, 402, 'QUOTA_EXHAUSTED')).toEqual([]);
  expect(broken({ callbackUrl: url, auth_header: header }, 400, 'VALIDATION_ERROR')).toEqual([]);
});
