import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { drive } from './drive.ts';
import { leasesInTurn } from './leases.ts';
import { arrivalsAt, driveVirtually, keysNamed } from '../../../test/support/load.ts';

const everyTenth = Array.from({ length: 50 }, (_, index) => index * 10);

test('each arrival is sent at its time, with the keys in turn', async () => {
  const { sent, missed } = await driveVirtually(arrivalsAt(0, 10, 250, 251), () => 5);
  expect(sent).toEqual([
    [0, 0, 'primary#1'],
    [1, 10, 'primary#2'],
    [2, 250, 'primary#1'],
    [3, 251, 'primary#2'],
  ]);
  expect(missed).toEqual([]);
});

test('a slow target is not spared: what is under way delays nothing', async () => {
  const { sent, endedMs } = await driveVirtually(arrivalsAt(...everyTenth), () => 30_000);
  expect(sent.map(([, atMs]) => atMs)).toEqual(everyTenth);
  expect(endedMs).toBe(490 + 30_000);
});

test('with as many in flight as may be, the next one waits for an answer, and is sent late', async () => {
  const { sent } = await driveVirtually(arrivalsAt(0, 10, 20), () => 300, { maxInFlight: 1 });
  expect(sent.map(([, atMs]) => atMs)).toEqual([0, 300, 600]);
});

test('what cannot be sent within its time is missed and never sent', async () => {
  const { sent, missed } = await driveVirtually(arrivalsAt(0, 10, 20), () => 700, {
    maxInFlight: 1,
    missAfterMs: 1000,
  });
  expect(sent.map(([index, atMs]) => [index, atMs])).toEqual([
    [0, 0],
    [1, 700],
  ]);
  expect(missed).toEqual([[2, 'in-flight']]);
});

test('an arrival without a key is missed for the limits', async () => {
  const { sent, missed } = await driveVirtually(arrivalsAt(0, 10), () => 5, {
    lease: (arrivals) => arrivals.map((arrival) => ({ arrival, key: null, done: () => undefined })),
  });
  expect([sent, missed]).toEqual([
    [],
    [
      [0, 'limits'],
      [1, 'limits'],
    ],
  ]);
});

test('leases are asked for ahead of time, so that waiting for one delays nothing', async () => {
  const clock = new VirtualClock(0);
  const sent: number[] = [];
  await drive(arrivalsAt(200, 260, 320), {
    clock,
    startAt: 0,
    maxInFlight: 10,
    missAfterMs: 1000,
    signal: new AbortController().signal,
    lease: async (arrivals) => {
      await clock.sleep(40);
      return leasesInTurn(keysNamed('a'))(arrivals);
    },
    send: () => {
      sent.push(clock.monotonic());
      return Promise.resolve();
    },
    miss: () => undefined,
  });
  expect(sent).toEqual([200, 260, 320]);
});

test('fewer leases than asked for end the load', async () => {
  const { sent } = await driveVirtually(arrivalsAt(0, 100, 200), () => 5, {
    lease: (arrivals) => (arrivals[0]?.index === 0 ? leasesInTurn(keysNamed('a'))(arrivals) : []),
  });
  expect(sent.map(([index]) => index)).toEqual([0]);
});

test('an abort ends it at once; what was not sent is neither sent nor missed', async () => {
  const stop = new AbortController();
  const { sent, missed, endedMs } = await driveVirtually(
    arrivalsAt(0, 100, 200, 300),
    (index) => {
      if (index === 1) stop.abort(new Error('interrupted'));
      return 5;
    },
    { signal: stop.signal },
  );
  expect(sent.map(([index]) => index)).toEqual([0, 1]);
  expect(missed).toEqual([]);
  expect(endedMs).toBeLessThan(110);
});
