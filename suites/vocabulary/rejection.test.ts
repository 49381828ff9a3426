import { describe, expect, it } from 'vitest';
import { reasonVariant } from './rejection.ts';
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
    expect(reasonVariant(rejection(members))).toBe(variant);
  });
});
