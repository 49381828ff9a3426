import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import type { Transport, WireRequest } from '../send/transport.ts';
import { ReconnectingTransport } from './reconnects.ts';

const request = {} as WireRequest;

test('all connections are given up at once; what is under way is answered, and what follows takes new ones', async () => {
  const clock = new VirtualClock(0);
  const opened: { closed: boolean; sent: number }[] = [];
  const open = (): Transport => {
    const own = { closed: false, sent: 0 };
    opened.push(own);
    const first = opened.length === 1;
    return {
      send: async () => {
        own.sent += 1;
        const sent = clock.monotonic();
        await clock.sleep(first ? 100 : 400);
        const timings = { sentAt: 0, receivedAt: 0, sent, received: clock.monotonic() };
        return { outcome: { kind: 'response', response: {} }, timings } as Awaited<
          ReturnType<Transport['send']>
        >;
      },
      close: () => {
        own.closed = true;
        return Promise.resolve();
      },
    };
  };
  const transport = new ReconnectingTransport({ open, everyMs: 5000, clock });
  transport.begin();
  await clock.sleep(4950);
  const underWay = transport.send(request);
  await clock.sleep(60);
  expect(opened.map(({ closed }) => closed)).toEqual([false, false]);
  const next = transport.send(request);
  await Promise.all([underWay, next]);
  expect(opened.map(({ closed, sent }) => [closed, sent])).toEqual([
    [true, 1],
    [false, 1],
  ]);
  await transport.close();
  expect(opened[1]?.closed).toBe(true);
  const { count, after, otherwise, failed } = transport.summary;
  expect([count, failed]).toEqual([1, 0]);
  expect(after.maxMs).toBeGreaterThan(390);
  expect(otherwise.maxMs).toBeLessThan(110);
});
