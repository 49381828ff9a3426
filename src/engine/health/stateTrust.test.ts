import { expect, test } from 'vitest';
import { errorBody, statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { StateTrust } from './stateTrust.ts';

const flight = { flightNumber: 'QR1', departureDate: '2026-03-20' };
const finding = { decisive: 'x999', exchanges: ['x999'] };

/** A trust to whom the handler has confirmed a flight and a record that moved, each set by a check of its own. */
function confirmed(): StateTrust {
  const trust = new StateTrust();
  trust.used('fla.some', 'flights.put');
  trust.confirmed('flights.put', { ...flight, legs: [{}] });
  trust.used('wci.some', 'checkin.progress');
  trust.confirmed('checkin.progress', { checkin_id: 'chk-1234567890', status: 'FAILED' });
  return trust;
}

const lookup = (status: 200 | 404) =>
  exchange({
    operation: 'fla.lookup',
    query: 'flightNumber=QR1&departureDate=2026-03-20',
    ...(status === 200 ? { body: [] } : { status, body: errorBody('FLIGHT_NOT_FOUND') }),
  });
const waiting = () => exchange({ operation: 'wci.status', body: statusBody({ status: 'SCHEDULED' }) });

test('findings of checks that set a state which nothing shows are spoilt, and no others', () => {
  const trust = confirmed();
  for (let times = 0; times < 2; times += 1) trust.see(lookup(404));
  const ineffective = trust.ineffective();
  expect(ineffective?.states).toEqual(['flights.put (no flight that it put is found)']);
  expect(ineffective?.spoils('fla.some', finding)).toBe(true);
  expect(ineffective?.spoils('wci.some', finding)).toBe(false);
});

test('one answer against it is no proof', () => {
  const trust = confirmed();
  trust.see(lookup(404));
  expect(trust.ineffective()).toBeNull();
});

test('a deployment that shows a state once, in whatever way, is judged for the rest', () => {
  const trust = confirmed();
  for (const status of [404, 404, 200, 404] as const) trust.see(lookup(status));
  for (let times = 0; times < 3; times += 1) trust.see(waiting());
  expect(trust.ineffective()?.states).toEqual([
    'checkin.progress (no record that it moved shows another status)',
  ]);
  trust.seeDelivery({ body: Buffer.from(JSON.stringify({ checkin_id: 'chk-1234567890' })) });
  expect(trust.ineffective()).toBeNull();
});
