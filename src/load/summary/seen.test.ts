import { describe, expect, test } from 'vitest';
import { statusBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import { exchangesOf, SeenExchanges, SeenInOrder } from './seen.ts';

const secret = 'secret of primary#1';
const watch = () =>
  new SeenExchanges({
    name: 'w1',
    redact: (text) => text.replaceAll(secret, '‹key primary#1›'),
    shared: () => ({ offsetMs: 1_000_000, errorMs: 2 }),
  });
const status = (updated: string, at: number) =>
  exchange({
    operation: 'wci.status',
    query: 'checkin_id=chk-1',
    at,
    body: statusBody({ checkin_id: 'chk-1', last_updated: updated }),
  });
const early = '2026-03-01T12:00:00.000Z';
const late = '2026-03-01T12:00:09.000Z';
const here = {
  baseUrl: 'http://127.0.0.1:1',
  offsetMs: 1_000_000,
  epochMs: 5_000_000,
};

describe('what a worker tells of its answers', () => {
  test('subscribes travel whole but for headers and secrets, in intervals that are certain', () => {
    const seen = watch();
    const sent = { pnr: 'ABC123', note: secret };
    const answer = subscribed({ checkin_id: 'chk-1' });
    seen.see(exchange({ operation: 'wci.subscribe', sent, body: answer, at: 1000, until: 1100 }));
    const told = seen.take();
    expect(JSON.stringify(told)).not.toContain(secret);
    const [back] = exchangesOf(JSON.parse(JSON.stringify(told)), here);
    expect(back).toMatchObject({
      operation: 'wci.subscribe',
      enterprise: 'primary',
      timings: { sent: 998, received: 1102, sentAt: 5_000_998 },
    });
    expect(back?.id).toMatch(/^w1\/x\d+$/);
    expect(Buffer.from(back?.request.body ?? []).toString()).toContain('ABC123');
  });

  test('a status is told of when it shows something new, and else once in a while', () => {
    const seen = watch();
    for (const at of [0, 100, 200]) seen.see(status(early, at));
    seen.see(status(late, 300));
    seen.see(status(late, 400));
    seen.see(status(late, 9000));
    expect(seen.take().map(({ sent }) => sent - 1_000_000)).toEqual([-2, 298, 8998]);
    expect(seen.take()).toEqual([]);
  });

  test('what a part hands in has an end, and refusals and lists are not told of', () => {
    const seen = watch();
    seen.see(exchange({ operation: 'wci.subscribe', status: 402, body: {} }));
    seen.see(exchange({ operation: 'wci.list', body: {} }));
    expect(seen.take()).toEqual([]);
    for (let turn = 0; turn < 1000; turn += 1)
      seen.see(exchange({ operation: 'wci.subscribe', body: subscribed({ checkin_id: `chk-${turn}` }) }));
    const told = seen.take();
    expect(told).toHaveLength(400);
    expect(exchangesOf(told, here)).toHaveLength(400);
    expect(exchangesOf([...told, ...told.slice(0, 1)], here)).toEqual([]);
  });
});

test('what several workers tell is judged in the order of time, late parts as well', () => {
  const judged: number[] = [];
  const order = new SeenInOrder(({ timings }) => judged.push(timings.received));
  const at = (...times: readonly number[]): readonly Exchange[] =>
    times.map((time) => exchange({ operation: 'wci.status', at: time - 100, until: time }));
  order.add(at(3000, 1000));
  order.add(at(2000));
  expect(judged).toEqual([]);
  order.add(at(12_500));
  expect(judged).toEqual([1000, 2000]);
  order.add(at(500));
  order.end();
  expect(judged).toEqual([1000, 2000, 500, 3000, 12_500]);
});
