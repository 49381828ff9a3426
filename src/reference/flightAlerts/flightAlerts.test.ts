import { expect, test } from 'vitest';
import { createBench, type Bench, type Reply } from '../../../test/support/reference.ts';

const day = '2031-03-14';
const leg = {
  flightNumber: 'QR123',
  departureDate: day,
  departureAirportIata: 'DOH',
  arrivalAirportIata: 'MXP',
};
const callbackData = { fid: '000123', callbackUrl: 'https://sink.example.com/cb?x=1' };

const lookup = (bench: Bench, flightNumber: string, date = day) =>
  bench.get(`flight-alerts?flightNumber=${encodeURIComponent(flightNumber)}&departureDate=${date}`);
const subscribe = (bench: Bench, changes: Record<string, unknown> = {}, key?: string) =>
  bench.post('flight-alerts/subscribe', { ...leg, ...changes }, key);
const routes = (reply: Reply) =>
  (reply.body as unknown as { departure: { airportIata: string }; arrival: { airportIata: string } }[]).map(
    ({ departure, arrival }) => `${departure.airportIata}-${arrival.airportIata}`,
  );

test.each(['QR123', 'qr 0-123', 'QR-00123', ' Q R-1 2 3 ', 'QR00000123'])('%j finds QR123', async (text) => {
  const bench = createBench();
  const reply = await lookup(bench, text);
  expect(routes(reply)).toEqual(['DOH-MXP']);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['QR', day],
  ['QR123456', day],
  ['Q1', day],
  ['QR_123', day],
  ['QR123', '2031-3-4'],
  ['QR123', '2031-04-31'],
  ['QR123', '2031-03-03'],
  ['QR123', `${day}Z`],
])('%s on %s is a validation error', async (flightNumber, date) => {
  const bench = createBench();
  expect(await lookup(bench, flightNumber, date)).toMatchObject({
    status: 400,
    body: { error: 'VALIDATION_ERROR' },
  });
});

test('legs are ordered by airport codes', async () => {
  const bench = createBench();
  const end = (airportIata: string) => ({ airportIata });
  const legs = [
    { departure: end('DOH'), arrival: end('ZRH') },
    { departure: end('ZRH'), arrival: end('BKK') },
    { departure: end('BKK'), arrival: end('MUC') },
  ];
  await bench.state('flights.put', { flightNumber: 'QR77', departureDate: day, legs });
  expect(routes(await lookup(bench, 'QR77'))).toEqual(['BKK-MUC', 'DOH-ZRH', 'ZRH-BKK']);
});

test('an unknown flight and a failing upstream are told apart', async () => {
  const bench = createBench();
  expect(await lookup(bench, 'ZZ9999')).toMatchObject({ status: 404, body: { error: 'FLIGHT_NOT_FOUND' } });
  await bench.state('provider.fail', { mode: 'unavailable' });
  expect(await lookup(bench, 'QR123')).toMatchObject({
    status: 502,
    body: { error: 'PROVIDER_UNAVAILABLE' },
  });
});

test('the callback key comes once, and a callback can be attached but not exchanged', async () => {
  const bench = createBench();
  expect((await subscribe(bench)).body).not.toHaveProperty('callbackApiKey');
  const attached = await subscribe(bench, { callbackData });
  expect(attached.body.callbackApiKey).toMatch(/^fac_/);
  const again = await subscribe(bench, { callbackData });
  expect(again.status).toBe(200);
  expect(again.body).not.toHaveProperty('callbackApiKey');
  const url = await subscribe(bench, {
    callbackData: { ...callbackData, callbackUrl: 'https://sink.example.com/b' },
  });
  expect(url).toMatchObject({ status: 409, body: { error: 'CALLBACK_ALREADY_REGISTERED' } });
  const fid = await subscribe(bench, { callbackData: { ...callbackData, fid: '123' } });
  expect(fid).toMatchObject({ status: 409, body: { error: 'EXTERNAL_FID_ALREADY_REGISTERED' } });
});

test('parallel subscribes hand out one key', async () => {
  const bench = createBench();
  const replies = await Promise.all(Array.from({ length: 5 }, () => subscribe(bench, { callbackData })));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(replies.filter(({ body }) => 'callbackApiKey' in body)).toHaveLength(1);
});

test.each([
  'http://example.com/cb',
  'https://user@example.com/cb',
  'https://2130706433/cb',
  'https://[::1]/cb',
  'https://example.com/cb#x',
  'https://localhost/cb',
  'https://sink.internal/cb',
  'not a url',
])('the callback URL %s is refused', async (callbackUrl) => {
  const bench = createBench();
  const reply = await subscribe(bench, { callbackData: { fid: '1', callbackUrl } });
  expect(reply).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } });
});

test('a change reaches each partner with its own key and fid, and only the changed fields', async () => {
  const bench = createBench();
  const mine = await subscribe(bench, { callbackData });
  const theirs = await subscribe(
    bench,
    { callbackData: { ...callbackData, fid: 'other' } },
    bench.keys.other[0],
  );
  const changes = { departure: { gate: 'Z9', terminal: null }, stopover: { airportIata: 'KWI' } };
  expect((await bench.state('flights.change', { ...leg, changes })).status).toBe(200);
  expect(bench.delivered.map(({ headers }) => headers.authorization)).toEqual([
    mine.body.callbackApiKey,
    theirs.body.callbackApiKey,
  ]);
  expect(JSON.parse(bench.delivered[0]?.body ?? '')).toEqual({
    fid: '000123',
    changes: { stopover: { airportIata: 'KWI', city: null }, departure: { gate: 'Z9', terminal: null } },
  });
});

test('two matching legs are ambiguous', async () => {
  const bench = createBench();
  const twin = { departure: { airportIata: 'DOH' }, arrival: { airportIata: 'MXP' } };
  await bench.state('flights.put', { flightNumber: 'QR123', departureDate: day, legs: [twin, twin] });
  expect(await subscribe(bench)).toMatchObject({ status: 409, body: { error: 'AMBIGUOUS_FLIGHT' } });
});

test.each([
  [false, ['https://sink.example.com/cb?x=1']],
  [true, ['https://sink.example.com/cb?x=1', ...Array<string>(3).fill('https://sink.example.com/elsewhere')]],
])('redirects are followed: %s', async (flightRedirects, urls) => {
  const bench = createBench({ flightRedirects });
  await subscribe(bench, { callbackData });
  bench.answer = 302;
  await bench.state('flights.change', { ...leg, changes: { status: 'delay' } });
  expect(bench.delivered.map(({ url }) => url)).toEqual(urls);
});
