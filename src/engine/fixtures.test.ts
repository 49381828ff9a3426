import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { recordOf } from './fixtures.ts';

test('a booking_id keeps its digits, however many there are', () => {
  const text = '{"success":true,"message":"SCHEDULED","checkin_id":"c-1","booking_id" : 9007199254741167}';
  const made = exchange({ operation: 'wci.subscribe', status: 200, body: {} });
  if (made.outcome.kind !== 'response') throw new Error('expected a response');
  const response = { ...made.outcome.response, body: Buffer.from(text) };
  const record = recordOf({}, { ...made, outcome: { kind: 'response', response } });
  expect(record.bookingDigits).toBe('9007199254741167');
});
