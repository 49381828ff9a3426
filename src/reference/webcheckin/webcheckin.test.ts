import { expect, test } from 'vitest';
import {
  booking,
  callbackData,
  createBench,
  flight,
  passenger,
  type Bench,
} from '../../../test/support/reference.ts';

const subscribePath = 'webcheckin/subscribe';
const updatePath = 'webcheckin/update';

async function subscribed(bench: Bench, changes: Record<string, unknown> = {}) {
  const reply = await bench.post(subscribePath, booking(changes));
  expect(reply.status).toBe(200);
  return reply.body as { checkin_id: string; booking_id: number; sub_status: string };
}

const statusOf = async (bench: Bench, id: string) =>
  (await bench.get(`webcheckin/status?checkin_id=${id}`)).body;

test('a complete booking is scheduled and takes one quota unit; its repetition takes none', async () => {
  const bench = createBench();
  const body = booking();
  const first = await bench.post(subscribePath, body);
  const second = await bench.post(subscribePath, body);
  expect(first.body).toMatchObject({ message: 'SCHEDULED', sub_status: 'COMPLETE_INFO', missing_info: [] });
  expect(first.body.quota).toEqual({ included_units: 100_000, consumed_units: 1 });
  expect(second.body).toMatchObject({ message: 'ALREADY_SUBSCRIBED', checkin_id: first.body.checkin_id });
  expect(second.body.quota).toEqual({ included_units: 100_000, consumed_units: 1 });
});

test('parallel subscribes of one booking make one attempt, and none beyond the quota', async () => {
  const bench = createBench();
  const body = booking();
  const same = await Promise.all(Array.from({ length: 5 }, () => bench.post(subscribePath, body)));
  expect(new Set(same.map((reply) => reply.body.checkin_id)).size).toBe(1);
  expect(same.filter((reply) => reply.body.message === 'SCHEDULED')).toHaveLength(1);
  const key = bench.keys.other[0] ?? '';
  await bench.state('entitlement.set', { key, status: 'active', included_units: 3, consumed_units: 0 });
  const many = await Promise.all(Array.from({ length: 8 }, () => bench.post(subscribePath, booking(), key)));
  expect(many.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 402, 402, 402, 402, 402]);
});

test.each([
  ['no flights', { flights: [] }],
  ['a leg without origin after a good one', { flights: [flight, { ...flight, origin: undefined }] }],
  ['a number as flight number', { flights: [{ ...flight, flight_number: 1 }] }],
  ['an unknown document type', { passengers: [{ ...passenger, documents: [{ type: 'PASSPORT' }] }] }],
  ['a second passenger without name', { passengers: [passenger, { ...passenger, last_name: '' }] }],
  [
    'a seat that does not exist',
    { passengers: [{ ...passenger, seat_preference: { row_preference: 'wing' } }] },
  ],
  ['a fraction of four digits', { flights: [{ ...flight, departure_datetime: '2031-03-20T10:20:00.1234' }] }],
  ['30 February', { flights: [{ ...flight, departure_datetime: '2032-02-30T10:20:00' }] }],
])('%s is a validation error, ahead of the quota', async (_name, changes) => {
  const bench = createBench();
  const reply = await bench.post(subscribePath, booking(changes), bench.keys.exhausted);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ success: false, error: 'VALIDATION_ERROR' });
});

test.each([
  '2031-03-20 10:20',
  ' 2031-03-20T10:20:00.5Z ',
  '2031-03-20T10:20:00-0500',
  '2031-03-20T10:20:00.123+14:00',
])('the clock %j is accepted and listed by its digits', async (departure_datetime) => {
  const bench = createBench();
  await subscribed(bench, { flights: [{ ...flight, departure_datetime }] });
  const list = await bench.get('webcheckin/requests');
  expect(list.body.data).toMatchObject([{ departure_datetime: '2031-03-20T10:20:00' }]);
});

test.each([
  ['DXB', '2031-03-04T19:00:00', 422],
  ['DXB', '2031-03-04T22:00:00', 200],
  ['DXB', '2031-03-04T21:59:59-12:00', 422],
  ['HNL', '2031-03-04T08:00:00Z', 200],
  ['NRT', '2031-03-05T02:59:00', 422],
])('from %s at %s the six hours are counted on the airport clock', async (origin, clock, status) => {
  const bench = createBench();
  const flights = [{ ...flight, origin, departure_datetime: clock }];
  expect((await bench.post(subscribePath, booking({ flights }))).status).toBe(status);
});

test('lead time follows daylight saving', async () => {
  // London changes to summer time on 30 March 2031 at 01:00 UTC.
  const bench = createBench({}, Date.UTC(2031, 2, 29, 22));
  const at = (departure_datetime: string) =>
    booking({ flights: [{ ...flight, origin: 'LHR', destination: 'DXB', departure_datetime }] });
  expect((await bench.post(subscribePath, at('2031-03-30T04:59:00'))).status).toBe(422);
  expect((await bench.post(subscribePath, at('2031-03-30T05:01:00'))).status).toBe(200);
});

test('legs are ordered by instants, not by clocks', async () => {
  const bench = createBench();
  const home = { airline: 'HA', flight_number: '822', origin: 'NRT', destination: 'HNL' };
  const legs = [
    { ...home, departure_datetime: '2031-03-20T20:00', arrival_datetime: '2031-03-20T08:00' },
    { ...home, origin: 'HNL', destination: 'LAX', departure_datetime: '2031-03-20T11:00' },
  ];
  expect((await bench.post(subscribePath, booking({ flights: legs }))).status).toBe(200);
  const reversed = await bench.post(subscribePath, booking({ flights: [...legs].reverse() }));
  expect(reversed.body).toMatchObject({ error: 'REJECTED' });
});

test('an update replaces the whole list, and a pnr counts only inside payload', async () => {
  const bench = createBench();
  const { checkin_id } = await subscribed(bench, {
    passengers: [passenger, { first_name: 'B', last_name: 'C' }],
  });
  expect((await statusOf(bench, checkin_id)).sub_status).toBe('MISSING_INFO');
  const updated = await bench.post(updatePath, { checkin_id, passengers: [passenger], pnr: 'ZZZZZZ' });
  expect(updated.body).toMatchObject({
    type: 'passengers',
    operation: 'update',
    data: { sub_status: 'COMPLETE_INFO' },
  });
  const refused = await bench.post(updatePath, { checkin_id, type: 'pnr', pnr: 'ZZZZZZ' });
  expect(refused.status).toBe(400);
});

test('foreign and missing records are refused alike', async () => {
  const bench = createBench();
  const { checkin_id } = await subscribed(bench);
  const foreign = await bench.get(`webcheckin/status?checkin_id=${checkin_id}`, bench.keys.other[0]);
  const missing = await bench.get('webcheckin/status?checkin_id=wci_none', bench.keys.other[0]);
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual(missing.body);
});

test('a multipart subscribe binds its scans and is the same booking as its JSON twin', async () => {
  const bench = createBench();
  const scanned = { ...passenger, passport: { ...passenger.passport, file_field: 'scan_a1' } };
  const body = booking({ passengers: [scanned] });
  const form = new FormData();
  form.set('pnr', String(body.pnr));
  form.set('flights', JSON.stringify(body.flights));
  form.set('passengers', JSON.stringify(body.passengers));
  form.set('scan_a1', new File([new Uint8Array([137, 80])], 'scan.png', { type: 'image/png' }));
  const headers = { 'x-api-key': bench.keys.primary[0] ?? '' };
  const uploaded = await bench.send(subscribePath, { method: 'POST', headers, body: form });
  expect(uploaded.body).toMatchObject({ message: 'SCHEDULED', sub_status: 'COMPLETE_INFO' });
  expect((await bench.post(subscribePath, body)).body.message).toBe('ALREADY_SUBSCRIBED');
  const broken = { ...headers, 'content-type': 'multipart/form-data; boundary=none' };
  const refused = await bench.send(subscribePath, { method: 'POST', headers: broken, body: 'x' });
  expect(refused).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR' } });
});

test('an upload is bound to a check-in id', async () => {
  const bench = createBench();
  const { booking_id } = await subscribed(bench);
  const form = new FormData();
  form.set('booking_id', String(booking_id));
  form.set('passengers', JSON.stringify([passenger]));
  form.set('scan', new File(['x'], 'scan.png'));
  const headers = { 'x-api-key': bench.keys.primary[0] ?? '' };
  expect((await bench.send(updatePath, { method: 'POST', headers, body: form })).status).toBe(400);
});

test('a state change is pushed with the configured header, and repeated until it is taken', async () => {
  const bench = createBench();
  const { checkin_id } = await subscribed(bench, { callbackData });
  bench.answer = 500;
  await bench.state('checkin.progress', { checkin_id, status: 'COMPLETED' });
  expect(bench.delivered).toHaveLength(1);
  expect(bench.delivered[0]).toMatchObject({
    url: callbackData.callbackUrl,
    headers: { 'X-API-Key': 'throwaway' },
  });
  expect((await bench.state('callbacks.pending')).body.pending).toBe(1);
  bench.answer = 204;
  await bench.state('clock.advance', { seconds: 5 });
  expect(bench.delivered.map(({ body }) => body)).toEqual([
    bench.delivered[0]?.body,
    bench.delivered[0]?.body,
  ]);
  expect(bench.deployment.pendingCallbacks()).toBe(0);
  expect(JSON.parse(bench.delivered[0]?.body ?? '')).toMatchObject({
    checkin_id,
    changes: { status: 'COMPLETED', sub_status: 'BOARDING_PASS_AVAILABLE' },
  });
});

test('the airline checks a complete attempt in once its window opens, not before', async () => {
  const bench = createBench();
  const { checkin_id } = await subscribed(bench, { callbackData });
  await bench.state('clock.advance', { seconds: 86_400 });
  expect((await statusOf(bench, checkin_id)).status).toBe('SCHEDULED');
  await bench.state('clock.advance', { seconds: 14 * 86_400 });
  expect(await statusOf(bench, checkin_id)).toMatchObject({
    status: 'COMPLETED',
    sub_status: 'BOARDING_PASS_AVAILABLE',
  });
  expect(bench.delivered).toHaveLength(2);
});

test('a rejected resume keeps the data', async () => {
  const bench = createBench();
  const { checkin_id } = await subscribed(bench);
  await bench.state('checkin.rejectResume', { checkin_id });
  const rejected = await bench.post(updatePath, {
    checkin_id,
    passengers: [{ first_name: 'A', last_name: 'B' }],
  });
  expect(rejected).toMatchObject({ status: 422, body: { error: 'REJECTED' } });
  expect((await statusOf(bench, checkin_id)).sub_status).toBe('MISSING_INFO');
});

test('a completion that is found out later is overtaken by the next update', async () => {
  const bench = createBench({ completionDelayMs: 2_000 });
  const poor = [{ first_name: 'A', last_name: 'B' }];
  const { checkin_id } = await subscribed(bench, { passengers: poor });
  await bench.post(updatePath, { checkin_id, passengers: [passenger] });
  await bench.post(updatePath, { checkin_id, passengers: poor });
  await bench.state('clock.advance', { seconds: 5 });
  expect((await statusOf(bench, checkin_id)).sub_status).toBe('MISSING_INFO');
});
