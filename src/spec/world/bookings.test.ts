import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../test/support/judge/passenger.ts';
import { callOf } from '../../trace/call.ts';
import { Bookings } from './bookings.ts';

const id = 'chk-1234567890';
const json = [['content-type', 'application/json']] as const;
const bare = [{ ...passenger, passport: null }];
const flight = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
const flights = [{ ...flight, departure_datetime: '2026-03-29T10:30:00' }];

const made = exchange({
  ...{ operation: 'wci.subscribe', requestHeaders: json, at: 0 },
  sent: { pnr: 'ABC123', flights, passengers: bare },
  body: subscribed({ checkin_id: id, status: 'SCHEDULED', missing_info: ['passport'] }),
});

const update = (sent: object, at: number, until: number) =>
  exchange({
    ...{ operation: 'wci.update', at, until, requestHeaders: json, sent: { checkin_id: id, ...sent } },
    body: { success: true, operation: 'update', data: { checkin_id: id, status: 'SCHEDULED' } },
  });
const pnr = (text: string) => ({ type: 'pnr', payload: { pnr: text } });
const people = (passengers: readonly object[]) => ({ type: 'passengers', passengers });

test.each<[what: string, first: object, second: object, known: unknown]>([
  ['the pnr, then the passengers', pnr('XYZ789'), people([passenger]), ['XYZ789', true]],
  ['the passengers, then the pnr', people([passenger]), pnr('XYZ789'), ['XYZ789', true]],
  ['the pnr twice', pnr('XYZ789'), pnr('QRS456'), [null, null]],
  ['the passengers twice', people([passenger]), people(bare), [null, null]],
])('updates that overlap leave what any order of them leaves: %s', (_, first, second, known) => {
  const bookings = new Bookings({ movedMs: 0 });
  for (const one of [made, update(first, 2000, 3000), update(second, 2500, 3500)]) {
    const call = callOf(one);
    if (call) bookings.learn(call);
  }
  const booking = bookings.of('primary', id);
  expect([booking?.pnr.value, booking?.complete.value]).toEqual(known);
});
