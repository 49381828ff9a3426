import { describe, expect, test } from 'vitest';
import { tellingIn } from './indistinguishable.ts';
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
      'an id that is a word of the text',
      refusal('be', { ...plain, message: 'This cannot be found' }),
      refusal('x7', { ...plain, message: 'This cannot be found' }),
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
    expect(tellingIn([foreign], [missing])).toBeNull();
  });

  test.each([
    ['another status', refusal('a', plain, 403), refusal('b', plain)],
    ['another code', refusal('a', { ...plain, error: 'FORBIDDEN' }), refusal('b', plain)],
    ['another message', refusal('a', { ...plain, message: 'Not your check-in' }), refusal('b', plain)],
    ['a further member', refusal('a', { ...plain, owner: true }), refusal('b', plain)],
  ])('are told apart by %s', (_, foreign, missing) => {
    expect(tellingIn([foreign], [missing])?.code).toBe('distinguishable');
  });

  const numbered = (id: string, serial: number, message = 'Check-in not found') =>
    refusal(id, {
      ...plain,
      message: `${message} (No. ${serial})`,
      durationMs: 2 * (serial % 3),
      of: { node: serial % 2 },
    });

  test('are alike where what tells them apart differs among the missing as well', () => {
    const foreign = [1, 4, 6].map((serial) => numbered('a', serial));
    const missing = [2, 3, 5].map((serial) => numbered('b', serial));
    expect(tellingIn(foreign, missing)).toBeNull();
  });

  test('are told apart by words beside numbers that differ from request to request', () => {
    const foreign = [1, 4, 6].map((serial) => numbered('a', serial, 'Not your check-in'));
    const missing = [2, 3, 5].map((serial) => numbered('b', serial));
    expect(tellingIn(foreign, missing)).toMatchObject({
      at: 'message',
      want: { value: 'Check-in not found (No. 2)', note: 'as for a missing record' },
    });
  });

  test('are alike where the words differ from request to request', () => {
    const said = (id: string, ...words: string[]) =>
      words.map((message) => refusal(id, { ...plain, message }));
    expect(tellingIn(said('a', 'Nope', 'Nothing'), said('b', 'Nichts', 'Nope'))).toBeNull();
  });
});
