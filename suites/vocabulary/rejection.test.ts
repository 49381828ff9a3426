import { describe, expect, it } from 'vitest';
import { namesReason, reasonVariant } from './rejection.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

const rejection = (members: object) =>
  exchange({
    operation: 'wci.subscribe',
    status: 422,
    body: { success: false, error: 'REJECTED', ...members },
  });

describe('the reason of a rejection', () => {
  it.each([
    ['in reason', { message: 'REJECTED', reason: 'departure too close' }, 'reason'],
    ['in a message that says more than the code', { message: 'Departure too close' }, 'message'],
    ['in details', { message: 'Rejected', details: { rule: 'LEAD_TIME' } }, 'details'],
  ])('may stand %s', (_, members, variant) => {
    expect(namesReason(rejection(members)).status).toBe('holds');
    expect(reasonVariant(rejection(members))).toBe(variant);
  });

  it.each(['REJECTED', 'Rejected', 'rejected.'])(
    'is missing where the message repeats the code: %s',
    (message) => {
      expect(namesReason(rejection({ message })).status).toBe('violated');
    },
  );

  it('may be one for all causes', () => {
    expect(namesReason(rejection({ message: 'The journey does not meet our rules.' })).status).toBe('holds');
  });
});
