import { expect, test } from 'vitest';
import { item, listBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { SeenIds } from './seenIds.ts';

test('no id that an answer showed is taken for unknown, whoever asked and whatever showed it', () => {
  const ids = new SeenIds();
  const [checkin, booking] = [ids.checkinId('chk-1234567890'), ids.bookingId()];
  const shown = item({ checkin_id: checkin, booking_id: booking });
  ids.see(exchange({ operation: 'wci.list', body: listBody([shown]), enterprise: 'other', key: 'other#1' }));
  expect(ids.checkinId('chk-1234567890')).not.toBe(checkin);
  expect(Math.abs(ids.bookingId() - booking)).toBeGreaterThan(100_000_000);
});

test('each id that is made up is told', () => {
  const made: (string | number)[] = [];
  const seen = new SeenIds((id) => made.push(id));
  expect([seen.checkinId('chk_12345678'), seen.bookingId()]).toEqual(made);
});
