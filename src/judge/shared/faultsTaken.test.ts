import { expect, test } from 'vitest';
import { subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { acceptedBefore } from './acceptedBefore.ts';

const leg = {
  airline: 'EK',
  flight_number: '3',
  origin: 'DXB',
  destination: 'LHR',
  departure_datetime: '2026-07-29T10:30:00',
};
const passenger = { first_name: 'Testa', last_name: 'Gatecheck' };
const booking = { pnr: 'ABC123', flights: [leg], passengers: [passenger] };
const json = [['Content-Type', 'application/json']] as const;

function judge(sketch: ExchangeSketch): readonly string[] {
  const own = new Set(acceptedBefore.verifies);
  return judgeLast(exchange({ requestHeaders: json, ...sketch })).violated.filter((row) => own.has(row));
}

const subscribe = (sent: unknown, more: Partial<ExchangeSketch> = {}) =>
  judge({ operation: 'wci.subscribe', body: subscribed(), sent, ...more });
const withLeg = (...changes: readonly object[]) => ({
  ...booking,
  flights: changes.map((change) => ({ ...leg, ...change })),
});
const withPassenger = (...changes: readonly object[]) => ({
  ...booking,
  passengers: changes.map((change) => ({ ...passenger, ...change })),
});

test.each([
  ['plain', booking],
  [
    'in other spellings',
    withLeg({ airline: ' ek', origin: 'dxb ', departure_datetime: ' 2026-07-29 10:30 Z ' }),
  ],
  [
    'with a leap day, an offset and a fraction',
    withLeg({ departure_datetime: '2028-02-29t24:00:60.123+04' }),
  ],
  ['without names', withPassenger({ first_name: null, last_name: '' })],
  ['with a seat at the back', withPassenger({ seat_preference: { row_preference: 'Back' } })],
  ['with documents in small letters', withPassenger({ documents: [{ type: 'visa' }] })],
  [
    'with nothing in place of objects',
    withPassenger({ passport: null, documents: null, seat_preference: null }),
  ],
  [
    'with a header of blanks',
    { ...booking, callbackData: { callbackUrl: 'x', auth_header: 'X-API-Key:  ' } },
  ],
])('a booking %s may be accepted', (_, sent) => {
  expect(subscribe(sent)).toEqual([]);
});

test.each([
  ['WCI-SUB-073', withLeg({ airline: 'EKXXX' })],
  ['WCI-SUB-024', { ...booking, flights: null }],
  ['WCI-SUB-025', { ...booking, flights: [] }],
  ['WCI-SUB-026', { ...booking, flights: ['x'] }],
  ['WCI-SUB-027', { pnr: 'ABC123', flights: [leg] }],
  ['WCI-SUB-028', { ...booking, passengers: [] }],
  ['WCI-SUB-029', { ...booking, passengers: {} }],
  ['WCI-SUB-030', withLeg({ destination: undefined })],
  ['WCI-SUB-031', withLeg({ flight_number: '' })],
  ['WCI-SUB-032', withLeg({ airline: true })],
  ['WCI-SUB-032', withLeg({ arrival_datetime: 5 })],
  ['WCI-SUB-033', withLeg({}, { airline: null })],
  ['WCI-SUB-035', withLeg({ origin: 'D1B' })],
  ['WCI-SUB-063', withLeg({ airline: 'E!' })],
  // What the likelier reading refuses.
  ['WCI-SUB-073', withLeg({ airline: 'EKXXX' })],
  ['WCI-DT-034', withLeg({ arrival_datetime: '2026-07-29t14:30:00' })],
  ['WCI-DT-031', withLeg({ arrival_datetime: '2026-09-31T14:30:00' })],
  [
    'WCI-JRN-021',
    withLeg({}, { origin: 'LHR', destination: 'DXB', departure_datetime: '2026-08-02T10:30:00' }),
  ],
  ['WCI-DT-005', withLeg({ departure_datetime: '2026-07-29T10:30:00.1234' })],
  ['WCI-DT-015', withLeg({ departure_datetime: '2026-07-29' })],
  ['WCI-DT-016', withLeg({ departure_datetime: '' })],
  ['WCI-DT-016', withLeg({ departure_datetime: '2026-07-29_10:30:00' })],
  ['WCI-DT-017', withLeg({ departure_datetime: '2026-7-29T10:30:00' })],
  ['WCI-DT-018', withLeg({ departure_datetime: '2027-02-29T10:30:00' })],
  ['WCI-DT-020', withLeg({ departure_datetime: '2026-07-29T25:00:00' })],
  ['WCI-DT-023', withLeg({ arrival_datetime: 'tomorrow' })],
  ['WCI-DT-015', withLeg({}, { departure_datetime: '2026-07-29' })],
  ['WCI-DT-032', withLeg({}, {}, { departure_datetime: '2026-07-29' })],
  ['WCI-SUB-058', withPassenger({}, { passport: 'x' })],
  ['WCI-SUB-039', withPassenger({}, {}, { passport: 'x' })],
  ['WCI-SUB-047', withPassenger({ documents: [{}] })],
  ['WCI-SUB-048', withPassenger({ documents: [{ type: 'PASSPORT' }] })],
  ['WCI-SUB-052', withPassenger({ documents: {} })],
  ['WCI-SUB-055', withPassenger({ seat_preference: { row_preference: 'wing' } })],
  ['WCI-SUB-056', withPassenger({ seat_preference: { column_preference: 'left' } })],
  ['WCI-SUB-058', withPassenger({ passport: [] })],
  ['WCI-SUB-068', withPassenger({ seat_preference: 'x' })],
  ['WCI-SUB-069', withPassenger({ first_name: 5 })],
  ['WCI-CBR-001', { ...booking, callbackData: { auth_header: 'Authorization: x' } }],
  ['WCI-CBR-002', { ...booking, callbackData: { callbackUrl: 'https://a.example/' } }],
  [
    'WCI-CBR-008',
    { ...booking, callbackData: { callbackUrl: 'https://a.example/', auth_header: 'Cookie: x' } },
  ],
  [
    'WCI-CBR-010',
    { ...booking, callbackData: { callbackUrl: 'https://a.example/', auth_header: 'X-API-Key: a:b' } },
  ],
])('%s: what breaks it is not accepted', (row, sent) => {
  expect(subscribe(sent)).toEqual([row]);
});

test('what is refused, repeated, or not sent as JSON is no sample', () => {
  const broken = { ...booking, flights: [] };
  expect(subscribe(broken, { status: 400, body: {} })).toEqual([]);
  expect(subscribe(broken, { body: subscribed({ message: 'ALREADY_SUBSCRIBED' }) })).toEqual([]);
  expect(subscribe(broken, { requestHeaders: [['Content-Type', 'text/plain']] })).toEqual([]);
});

const update = (sent: unknown) => judge({ operation: 'wci.update', body: { success: true }, sent });

test.each([
  ['WCI-UPD-015', { checkin_id: 'c', type: 'pnr', payload: {} }],
  ['WCI-UPD-017', { checkin_id: 'c', type: 'pnr', pnr: 'ABC123' }],
  ['WCI-UPD-015', { checkin_id: 'c', type: 'pnr', pnr: null }],
  ['WCI-UPD-016', { checkin_id: 'c', type: 'pnr', payload: { pnr: '' } }],
  ['WCI-UPD-049', { checkin_id: 'c', type: 'pnr', payload: { pnr: 5 } }],
  ['WCI-UPD-020', { checkin_id: 'c', type: 'flights', passengers: [passenger] }],
  ['WCI-UPD-022', { checkin_id: 'c', operation: 'delete', passengers: [passenger] }],
  ['WCI-UPD-023', { checkin_id: 'c', passengers: [] }],
  ['WCI-UPD-048', { checkin_id: 'c', payload: { passengers: {} } }],
  ['WCI-UPD-025', { checkin_id: 'c', passengers: [passenger, { ...passenger, passport: 'x' }] }],
])('%s: such an update is not accepted', (row, sent) => {
  expect(update(sent)).toEqual([row]);
});

test('an update of which it is open what is read may be accepted', () => {
  expect(update({ checkin_id: 'c', passengers: [], payload: { passengers: [passenger] } })).toEqual([]);
  expect(update({ checkin_id: 'c', type: 'pnr', passengers: [passenger] })).toEqual([]);
  expect(update({ checkin_id: 'c', type: 'Passengers', operation: null, passengers: [passenger] })).toEqual(
    [],
  );
});

test('what the payload shows is no matter of the journey', () => {
  const rejected = { status: 422, body: { success: false, error: 'REJECTED', message: 'x' } };
  const sent = (body: object, answer: object) =>
    exchange({ operation: 'wci.subscribe', requestHeaders: json, sent: body, ...answer });
  const late = sent(withPassenger({ passport: 5 }), rejected);
  expect(judgeLast(late).violated).toContain('WCI-SUB-058');
  expect(subscribe(withLeg({ origin: 'ABCD' }), rejected)).toEqual([]);
  expect(subscribe({ ...booking, callbackData: { callbackUrl: 7 } }, rejected)).toEqual([]);
});
