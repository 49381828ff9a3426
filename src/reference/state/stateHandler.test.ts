import { expect, test } from 'vitest';
import { booking, createBench } from '../../../test/support/reference.ts';

test('the capabilities name every state, and unknown states are unsupported', async () => {
  const bench = createBench();
  const { body } = await bench.state('capabilities');
  expect(body.now).toBe('2031-03-04T12:00:00.000Z');
  expect((body.states as string[]).sort()).toMatchInlineSnapshot(`
    [
      "automation.set",
      "callbacks.pending",
      "callbacks.route",
      "capabilities",
      "checkin.progress",
      "checkin.rejectResume",
      "clock.advance",
      "enterprise.create",
      "entitlement.get",
      "entitlement.set",
      "flights.change",
      "flights.put",
      "keys.disable",
      "keys.issue",
      "keys.revoke",
      "provider.fail",
      "reset",
    ]
  `);
  expect(await bench.state('weather.set')).toMatchObject({
    status: 501,
    body: { ok: false, error: 'UNSUPPORTED_STATE' },
  });
});

test.each([
  ['keys.revoke', { key: 'nobody' }],
  ['keys.issue', { key: 'nobody', count: 0 }],
  ['clock.advance', { seconds: 0 }],
  ['clock.advance', { seconds: 5, minutes: 1 }],
  ['automation.set', {}],
  ['checkin.progress', { checkin_id: 'none', status: 'COMPLETED' }],
  ['flights.put', { flightNumber: 'QR1', departureDate: '2031-02-30', legs: [] }],
  ['provider.fail', {}],
])('%s with %j is not allowed', async (state, params) => {
  const bench = createBench();
  const reply = await bench.state(state, params);
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ ok: false });
});

test('an enterprise is created, its keys issued and revoked, its quota set', async () => {
  const bench = createBench();
  const [key = ''] = (await bench.state('enterprise.create', { included_units: 1, keys: 1 })).body
    .keys as string[];
  const [second = ''] = (await bench.state('keys.issue', { key, count: 1 })).body.keys as string[];
  expect((await bench.post('webcheckin/subscribe', booking(), key)).status).toBe(200);
  expect((await bench.post('webcheckin/subscribe', booking(), second)).status).toBe(402);
  expect((await bench.state('entitlement.get', { key })).body).toMatchObject({
    included_units: 1,
    consumed_units: 1,
  });
  await bench.state('keys.revoke', { key });
  expect((await bench.get('webcheckin/requests', key)).status).toBe(401);
  expect((await bench.get('webcheckin/requests', second)).body.pagination).toMatchObject({ total: 1 });
});

test('a reset drops records and windows, but keeps keys and entitlement', async () => {
  const bench = createBench();
  const key = bench.keys.primary[0] ?? '';
  await bench.post('webcheckin/subscribe', booking());
  for (let count = 0; count < 60; count += 1) await bench.get('webcheckin/requests');
  await bench.state('reset', { key });
  expect((await bench.get('webcheckin/requests')).body.pagination).toMatchObject({ total: 0 });
  expect((await bench.state('entitlement.get', { key })).body.consumed_units).toBe(1);
});

test('in manual mode attempts wait for checkin.progress', async () => {
  const bench = createBench();
  await bench.state('automation.set', { mode: 'manual' });
  const { body } = await bench.post('webcheckin/subscribe', booking());
  await bench.state('clock.advance', { seconds: 20 * 86_400 });
  const read = await bench.get(`webcheckin/status?checkin_id=${String(body.checkin_id)}`);
  expect(read.body.status).toBe('SCHEDULED');
});
