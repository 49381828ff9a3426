import { describe, expect, it } from 'vitest';
import { namesAnotherReason, namesReason, reasonVariant } from './rejection.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';

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

  it('is missing where the message repeats the code', () => {
    expect(namesReason(rejection({ message: 'REJECTED' })).status).toBe('violated');
  });

  it('is missing where two causes read alike, and only then', () => {
    const vague = () => rejection({ message: 'The journey was rejected.' });
    expect(namesAnotherReason(vague(), vague()).status).toBe('violated');
    expect(namesAnotherReason(vague(), rejection({ message: 'Airline not supported' })).status).toBe('holds');
    const invalid = exchange({
      operation: 'wci.subscribe',
      status: 400,
      body: { error: 'VALIDATION_ERROR' },
    });
    expect(namesAnotherReason(invalid, invalid).status).toBe('holds');
  });
});
