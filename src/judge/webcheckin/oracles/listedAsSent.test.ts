import { expect, test } from 'vitest';
import { item, listBody, subscribed, updateBody } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const id = 'chk-primary-0001';
const leg = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
const made = (flights: readonly object[] = [leg]) =>
  exchange({
    operation: 'wci.subscribe',
    sent: { pnr: 'ABC123', flights },
    body: subscribed({ checkin_id: id, message: 'SCHEDULED' }),
  });
const listed = (more: object = {}) =>
  exchange({
    operation: 'wci.list',
    key: 'primary#2',
    body: listBody([item({ checkin_id: id, pnr: 'ABC123', ...leg, ...more })]),
  });
const isBroken = (...exchanges: readonly [ReturnType<typeof exchange>, ...ReturnType<typeof exchange>[]]) =>
  judgeLast(...exchanges).violated.includes('WCI-LST-020');

test('an item repeats what was sent, whoever lists it', () => {
  expect(isBroken(made(), listed())).toBe(false);
  expect(isBroken(made(), listed({ pnr: 'XYZ789' }))).toBe(true);
  expect(isBroken(made(), listed({ airline: 'ek' }))).toBe(true);
  expect(isBroken(made(), listed({ origin: '' }))).toBe(true);
});

test('a locator that was updated, several legs and unclean values are no matter of it', () => {
  const update = exchange({
    operation: 'wci.update',
    sent: { checkin_id: id, type: 'pnr', payload: { pnr: 'XYZ789' } },
    body: updateBody({ checkin_id: id }),
  });
  expect(isBroken(made(), update, listed({ pnr: 'XYZ789' }))).toBe(false);
  expect(isBroken(made(), update, listed({ pnr: 'XYZ789', airline: 'QR' }))).toBe(true);
  expect(isBroken(made([leg, leg]), listed({ airline: 'QR' }))).toBe(false);
  expect(isBroken(made([{ ...leg, flight_number: '0003' }]), listed({ flight_number: '3' }))).toBe(false);
});
