import { describe, expect, it } from 'vitest';
import { namesReason } from './rejectionReasons.ts';

const rejection = { success: false, error: 'REJECTED' };

describe('the reason of a rejection', () => {
  it.each([
    { message: 'REJECTED', reason: 'departure too close' },
    { message: 'Departure too close' },
    { message: 'Rejected', details: { rule: 'LEAD_TIME' } },
    { message: 'The journey does not meet our rules.' },
  ])('may stand in any member: %j', (members) => {
    expect(namesReason({ ...rejection, ...members })).toBe(true);
  });

  it.each(['REJECTED', 'Rejected', 'rejected.'])(
    'is missing where the message repeats the code: %s',
    (message) => {
      expect(namesReason({ ...rejection, message })).toBe(false);
    },
  );
});
