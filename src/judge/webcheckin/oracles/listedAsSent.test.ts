import { expect, test } from 'vitest';
import { item, listBody, subscribed, updateBody } from '../../../../test/support/judge/bodies.ts';
import { exchange } from '../../../../test/support/judge/exchanges.ts';
import { samplesOf } from '../../kernel/oracle.ts';
import { listedAsSent } from './listedAsSent.ts';

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
const isBroken = (...exchanges: readonly ReturnType<typeof exchange>[]) => {
  const watch = listedAsSent.createWatch();
  const samples = exchanges.flatMap((one) => samplesOf(watch, one));
  return [...samples, ...(watch.end?.() ?? [])].some(({ judgement }) => judgement.status === 'violated');
};

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

test('a list that came while an update of the locator was under way may show the new one', () => {
  const list = exchange({
    operation: 'wci.list',
    body: listBody([item({ checkin_id: id, ...leg, pnr: 'XYZ789' })]),
    at: 5_000,
    until: 5_200,
  });
  const update = (at: number) =>
    exchange({
      operation: 'wci.update',
      sent: { checkin_id: id, type: 'pnr', payload: { pnr: 'XYZ789' } },
      body: updateBody({ checkin_id: id }),
      at,
      until: 6_000,
    });
  expect(isBroken(made(), list, update(5_100))).toBe(false);
  expect(isBroken(made(), list, update(5_300))).toBe(true);
});
