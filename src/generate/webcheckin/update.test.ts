import { expect, test } from 'vitest';
import { expectLaws } from '../../../test/laws/laws.ts';
import { updateSchema } from '../../../test/laws/webCheckIn.ts';
import { simplePassenger } from './passenger.ts';
import { passengersUpdate } from './update.ts';

const passenger = simplePassenger(Date.UTC(2031, 2, 4));

test.each([{ checkin_id: 'c1' }, { webcheckin_id: 'c1' }, { booking_id: 7 }, { booking_id: '7' }])(
  'an update of %j is valid and says what it changes',
  (identifier) => {
    expectLaws(passengersUpdate(identifier, [passenger]), (body) => {
      const { passengers, payload, type } = updateSchema.parse(body);
      expect(passengers ?? payload?.passengers).toEqual([passenger]);
      expect(payload === undefined || type === 'passengers').toBe(true);
    });
  },
);
