import { expect, test } from 'vitest';
import { createBench, type Bench } from '../../../test/support/reference.ts';

async function admitted(bench: Bench, count: number, path = 'webcheckin/requests?limit=1', key?: string) {
  const replies = await Promise.all(Array.from({ length: count }, () => bench.get(path, key)));
  return replies.filter(({ status }) => status === 200).length;
}

test('sixty requests pass in any rolling minute, over both APIs together', async () => {
  const bench = createBench();
  expect(await admitted(bench, 1)).toBe(1);
  bench.clock.advance(50_000);
  expect(await admitted(bench, 59, 'flight-alerts?flightNumber=QR1&departureDate=2031-03-14')).toBe(59);
  bench.clock.advance(9_999);
  expect(await admitted(bench, 1)).toBe(0);
  bench.clock.advance(1);
  expect(await admitted(bench, 3)).toBe(1);
});

test('waiting retryAfter is enough, and another key of the enterprise is not held up', async () => {
  const bench = createBench();
  await admitted(bench, 60);
  bench.clock.advance(10_500);
  const refused = await bench.get('webcheckin/requests');
  expect(refused).toMatchObject({ status: 429, body: { success: false, retryAfter: 50 } });
  expect(await admitted(bench, 1, 'webcheckin/requests', bench.keys.primary[1])).toBe(1);
  bench.clock.advance(50_000);
  expect(await admitted(bench, 1)).toBe(1);
});

test('the hour has its own rolling limit, which the state handler can pass', async () => {
  const bench = createBench();
  for (let batch = 0; batch < 16; batch += 1) {
    expect(await admitted(bench, 60)).toBe(60);
    await bench.state('clock.advance', { seconds: 61 });
  }
  expect(await admitted(bench, 60)).toBe(40);
  const refused = await bench.get('webcheckin/requests');
  expect(refused.body.retryAfter).toBe(3600 - 16 * 61);
  await bench.state('clock.advance', { seconds: 3600 - 16 * 61 });
  expect(await admitted(bench, 60)).toBe(60);
});

test.each([
  ['', 401],
  ['gk_live_unknown', 401],
])('the key %j is refused before anything else is judged', async (key, status) => {
  const bench = createBench();
  const reply = await bench.post('webcheckin/subscribe', '{', key);
  expect(reply.status).toBe(status);
  expect((await bench.get('webcheckin/requests', bench.keys.revoked)).status).toBe(401);
  expect((await bench.get('webcheckin/requests', bench.keys.disabled)).status).toBe(401);
});
