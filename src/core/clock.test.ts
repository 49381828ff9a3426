import { expect, test } from 'vitest';
import { VirtualClock } from './virtualClock.ts';

test('virtual time jumps to the earliest sleeper, in order', async () => {
  const clock = new VirtualClock(1000);
  const woken: string[] = [];
  await Promise.all([
    clock.sleep(500).then(() => woken.push(`b at ${clock.now()}`)),
    clock.sleep(100).then(() => woken.push(`a at ${clock.now()}`)),
  ]);
  expect(woken).toEqual(['a at 1100', 'b at 1500']);
});

test('a timer alone does not move virtual time, yet fires when a sleeper passes it', async () => {
  const clock = new VirtualClock(0);
  const fired: number[] = [];
  clock.timer(50, () => fired.push(clock.now()));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(clock.now()).toBe(0);
  await clock.sleep(60);
  expect(fired).toEqual([50]);
});

test('a held clock stands still until it is released', async () => {
  const clock = new VirtualClock(0);
  const release = clock.hold();
  const sleeping = clock.sleep(1000);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(clock.now()).toBe(0);
  release();
  await sleeping;
  expect(clock.now()).toBe(1000);
});

test('an aborted sleep rejects with the reason and leaves nothing behind', async () => {
  const clock = new VirtualClock(0);
  const controller = new AbortController();
  const sleeping = clock.sleep(1000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  expect(clock.now()).toBe(0);
});
