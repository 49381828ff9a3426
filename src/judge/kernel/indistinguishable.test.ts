import { describe, expect, test } from 'vitest';
import { indistinguishable } from './indistinguishable.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';

function refusal(id: string | number, body: Record<string, unknown>, status = 404) {
  return { x: exchange({ operation: 'wci.status', status, body }), id };
}

const plain = { success: false, error: 'NOT_FOUND', message: 'Check-in not found' };

describe('a foreign and a missing record', () => {
  test.each([
    ['the same words', refusal('chk_1', plain), refusal('chk_2', plain)],
    [
      'the id repeated in the message',
      refusal('chk_1', { ...plain, message: 'No check-in chk_1' }),
      refusal('chk_2', { ...plain, message: 'No check-in chk_2' }),
    ],
    [
      'a booking number repeated',
      refusal(71, { ...plain, message: 'Booking 71 not found.' }),
      refusal(900_000_071, { ...plain, message: 'Booking 900000071 not found.' }),
    ],
    [
      'request ids, timestamps and another order of members',
      refusal('a', { ...plain, requestId: 'q1', timestamp: '2026-03-01T12:00:00.000Z' }),
      refusal('b', { timestamp: '2026-03-01T12:00:00.250Z', requestId: 'zz', ...plain }),
    ],
    [
      'a reference in the text',
      refusal('a', { ...plain, message: 'Not found (ref 9f2c11ab44).' }),
      refusal('b', { ...plain, message: 'Not found (ref 77aa01be02).' }),
    ],
  ])('are alike with %s', (_, foreign, missing) => {
    expect(indistinguishable(foreign, missing).status).toBe('holds');
  });

  test.each([
    ['another status', refusal('a', plain, 403), refusal('b', plain)],
    ['another code', refusal('a', { ...plain, error: 'FORBIDDEN' }), refusal('b', plain)],
    ['another message', refusal('a', { ...plain, message: 'Not your check-in' }), refusal('b', plain)],
    ['a further member', refusal('a', { ...plain, owner: true }), refusal('b', plain)],
  ])('are told apart by %s', (_, foreign, missing) => {
    expect(indistinguishable(foreign, missing).status).toBe('violated');
  });

  test('say nothing where the rate limit answered', () => {
    expect(indistinguishable(refusal('a', plain, 429), refusal('b', plain)).status).toBe('unclear');
  });
});
