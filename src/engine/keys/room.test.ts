import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import type { JsonObject } from '../../judge/kernel/body.ts';
import { MoveLock } from './moveLock.ts';
import { Room } from './room.ts';

/** Moves the clock for a key that has no room for a minute, where the state handler tells these times before and after. */
async function moved(
  before: JsonObject,
  after: JsonObject,
  use: (room: Room) => Promise<void> = (room) => room.make(10),
  moves = ['rate-limits'],
) {
  const said: string[] = [];
  const aged: number[] = [];
  const room = new Room({
    pacer: { room: () => 0, capacity: () => 60, roomIn: () => 60_000, age: (ms: number) => aged.push(ms) },
    supply: { canGrow: () => false, canReplace: false },
    clock: new VirtualClock(0),
    signal: new AbortController().signal,
    state: {
      offers: () => true,
      clock: new Set(moves),
      set: (state: string) => Promise.resolve(state === 'capabilities' ? before : after),
    },
    lock: new MoveLock(),
    pool: () => [{ label: 'primary#1' }],
    ...{ isBoundToDay: () => false, now: () => 0 },
    tell: (text: string) => said.push(text),
  } as unknown as ConstructorParameters<typeof Room>[0]);
  await use(room);
  return { said, aged };
}

const now = (seconds: number) => ({ now: new Date(seconds * 1000).toISOString() });

test('a clock that was moved as far as was asked makes room', async () => {
  expect(await moved(now(0), now(60))).toEqual({ said: [], aged: [] });
});

test.each([
  ['moved less', now(1), 'the clock moved by 1 s instead of 60 s'],
  ['told no time', {}, 'the state handler told no time as `now`, in ISO 8601'],
])('a clock that %s makes none, and what was assumed is taken back', async (_name, after, why) => {
  expect(await moved(now(0), after)).toEqual({
    said: [`clock.advance made no room: ${why}.`],
    aged: [-60_000],
  });
});

test.each([
  ['moved: nobody waits', now(60), 0],
  ['not moved: it is waited for', now(1), 1],
])('in the middle of a check, a clock can be %s', async (_name, after, expected) => {
  let waits = 0;
  const wait = () => Promise.resolve(void (waits += 1));
  await moved(now(0), after, (room) => room.pause(wait, 50_000));
  expect(waits).toBe(expected);
});

test('time passes for callbacks only where their clock is moved, and two hours at most', async () => {
  const passed: boolean[] = [];
  const pass = async (room: Room) => void passed.push(await room.passFor('callbacks', 60_000));
  await moved(now(0), now(60), pass);
  await moved(now(0), now(60), pass, ['callbacks']);
  await moved(
    now(0),
    now(3_600),
    async (room) => {
      for (let hour = 0; hour < 3; hour += 1) passed.push(await room.passFor('callbacks', 3_600_000));
    },
    ['callbacks'],
  );
  expect(passed).toEqual([false, true, true, true, false]);
});
