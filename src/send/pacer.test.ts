import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { KeyRing } from './keyRing.ts';
import { Pacer } from './pacer.ts';

const limits = [{ limit: 3, windowMs: 60_000 }];

function keysOf(count: number) {
  const values = Array.from({ length: count }, (_, index) => `value-${index}`);
  return KeyRing.of({ primary: values, other: [], special: {} }).primary;
}

/** Sends as soon as allowed, one after the other, and returns when and with which key each was sent. */
async function sendAll(pacer: Pacer, clock: VirtualClock, count: number, keys = keysOf(1), latency = 0) {
  const sent: { at: number; key: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const ticket = await pacer.acquire(keys);
    sent.push({ at: clock.monotonic(), key: ticket.key.label });
    if (latency > 0) await clock.sleep(latency);
    ticket.done();
  }
  return sent;
}

test('one key sends a window full at once and then waits for the window to pass', async () => {
  const clock = new VirtualClock(0);
  const waits: number[] = [];
  const pacer = new Pacer({ clock, limits, onWait: (_key, ms) => waits.push(ms) });
  const sent = await sendAll(pacer, clock, 7);
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 61_000, 61_000, 61_000, 122_000]);
  expect(waits).toEqual([61_000, 61_000]);
});

test('several keys are used in turn, so that nobody waits while one of them has room', async () => {
  const clock = new VirtualClock(0);
  const sent = await sendAll(new Pacer({ clock, limits }), clock, 7, keysOf(2));
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 0, 0, 0, 61_000]);
  expect(sent.slice(0, 4).map(({ key }) => key)).toEqual([
    'primary#1',
    'primary#2',
    'primary#1',
    'primary#2',
  ]);
});

test('a blocked key is passed over while another has room, and waited for where none has', async () => {
  const clock = new VirtualClock(0);
  const pacer = new Pacer({ clock, limits });
  const keys = keysOf(2);
  const [first] = keys;
  if (!first) throw new Error('two keys');
  pacer.block(first, 10_000);
  const sent = await sendAll(pacer, clock, 5, keys);
  expect(sent.map(({ key }) => key)).toEqual([
    'primary#2',
    'primary#2',
    'primary#2',
    'primary#1',
    'primary#1',
  ]);
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 10_000, 10_000]);
});

test('where all slots are under way, the first answer is waited for', async () => {
  const clock = new VirtualClock(0);
  const pacer = new Pacer({ clock, limits: [{ limit: 1, windowMs: 1000 }] });
  const ticket = await pacer.acquire(keysOf(1));
  const second = pacer.acquire(keysOf(1)).then(() => clock.monotonic());
  await clock.sleep(5000);
  ticket.done();
  ticket.done();
  expect(await second).toBe(7000);
});

test('a forced ticket waits for nothing, and counts', async () => {
  const clock = new VirtualClock(0);
  const pacer = new Pacer({ clock, limits });
  for (let index = 0; index < 5; index += 1) pacer.force(keysOf(1)).done();
  expect(clock.monotonic()).toBe(0);
  const [sent] = await sendAll(pacer, clock, 1);
  expect(sent?.at).toBe(61_000);
});

test.each(['a window', 'an answer'])('an interrupt ends the wait for %s', async (what) => {
  const clock = new VirtualClock(0);
  const pacer = new Pacer({ clock, limits: [{ limit: 1, windowMs: 1e12 }] });
  const ticket = await pacer.acquire(keysOf(1));
  if (what === 'a window') ticket.done();
  const controller = new AbortController();
  const waiting = pacer.acquire(keysOf(1), controller.signal);
  controller.abort(new Error('interrupted'));
  await expect(waiting).rejects.toThrow('interrupted');
  await expect(pacer.acquire(keysOf(1), controller.signal)).rejects.toThrow('interrupted');
});

test('many senders side by side keep every key under its limit, whatever the answer times', async () => {
  const latencies = fc.array(fc.nat(20_000), { minLength: 20, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(latencies, fc.integer({ min: 1, max: 3 }), async (answerTimes, keyCount) => {
      const clock = new VirtualClock(0);
      const pacer = new Pacer({ clock, limits });
      const keys = keysOf(keyCount);
      const counted = new Map<string, number[]>();
      await Promise.all(
        answerTimes.map(async (ms) => {
          const { key, done } = await pacer.acquire(keys);
          await clock.sleep(ms / 2);
          counted.set(key.label, [...(counted.get(key.label) ?? []), clock.monotonic()]);
          await clock.sleep(ms / 2);
          done();
        }),
      );
      expect([...counted.values()].flat()).toHaveLength(answerTimes.length);
      for (const times of counted.values())
        for (let index = 3; index < times.length; index += 1)
          expect((times[index] ?? 0) - (times[index - 3] ?? 0)).toBeGreaterThan(60_000);
    }),
    { numRuns: 30 },
  );
});

test('a lower limit that refusals show is kept from then on, for all keys', async () => {
  const clock = new VirtualClock(0);
  const pacer = new Pacer({ clock, limits });
  const [first, second] = keysOf(2);
  if (!first || !second) throw new Error('two keys');
  for (const key of [first, second]) {
    await sendAll(pacer, clock, 3, [key]);
    pacer.learn(key, 1000);
  }
  await clock.sleep(122_000);
  expect([pacer.room([first]), pacer.room([first, second])]).toEqual([2, 4]);
});
