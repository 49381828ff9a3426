import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { Scheduler } from './scheduler.ts';

/** Runs tasks of given lengths, and returns when each began and ended. */
async function timesOf(width: number, tasks: readonly { ms: number; alone: boolean }[]) {
  const clock = new VirtualClock(0);
  const scheduler = new Scheduler(width);
  const times: { from: number; to: number; alone: boolean }[] = [];
  for (const { ms, alone } of tasks)
    scheduler.add({
      alone,
      run: async () => {
        const from = clock.monotonic();
        await clock.sleep(ms);
        times.push({ from, to: clock.monotonic(), alone });
      },
    });
  await scheduler.idle();
  return times;
}

test('as many tasks run side by side as the width allows, in order', async () => {
  const times = await timesOf(
    2,
    [10, 20, 30].map((ms) => ({ ms, alone: false })),
  );
  expect(times.map(({ from, to }) => [from, to])).toEqual([
    [0, 10],
    [0, 20],
    [10, 40],
  ]);
});

test('a task that wants to be alone waits for the others, and they for it', async () => {
  const times = await timesOf(4, [
    { ms: 10, alone: false },
    { ms: 5, alone: true },
    { ms: 1, alone: false },
    { ms: 1, alone: true },
  ]);
  expect(times.map(({ from, to }) => [from, to])).toEqual([
    [0, 10],
    [10, 15],
    [15, 16],
    [16, 17],
  ]);
});

test('it is idle at once where there is nothing to do, and again after more was added', async () => {
  const scheduler = new Scheduler(1);
  await scheduler.idle();
  let ran = 0;
  const run = async () => {
    await Promise.resolve();
    ran += 1;
  };
  scheduler.add({ alone: false, run });
  await scheduler.idle();
  scheduler.add({ alone: true, run });
  await scheduler.idle();
  expect(ran).toBe(2);
});

test('a task that fails keeps none from running, and its error is told at the end', async () => {
  const scheduler = new Scheduler(1);
  let ran = false;
  scheduler.add({ alone: true, run: () => Promise.reject(new Error('first')) });
  scheduler.add({ alone: false, run: () => Promise.reject(new Error('second')) });
  scheduler.add({ alone: false, run: () => Promise.resolve(void (ran = true)) });
  await expect(scheduler.idle()).rejects.toThrow('first');
  expect(ran).toBe(true);
});

test('whatever the tasks are, never more than the width, nobody beside one that is alone, and all end', async () => {
  const tasks = fc.array(fc.record({ ms: fc.nat(50), alone: fc.boolean() }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), tasks, async (width, all) => {
      const times = await timesOf(width, all);
      expect(times).toHaveLength(all.length);
      for (const one of times) {
        const beside = times.filter((other) => other !== one && other.from < one.to && one.from < other.to);
        if (one.alone) expect(beside.filter(({ from, to }) => from < to && one.from < one.to)).toEqual([]);
        const at = times.filter(({ from, to }) => from <= one.from && one.from < to);
        expect(at.length).toBeLessThanOrEqual(width);
      }
    }),
    { numRuns: 50 },
  );
});
