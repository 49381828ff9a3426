import { expect, test } from 'vitest';
import { VirtualClock } from '../../core/virtualClock.ts';
import { DeploymentClock } from './deploymentClock.ts';

const hour = 3_600_000;

function clocks() {
  const base = new VirtualClock(0);
  return { base, clock: new DeploymentClock(base) };
}

test('a task runs when the base clock comes to its time', async () => {
  const { base, clock } = clocks();
  const ran: number[] = [];
  clock.at(500, () => void ran.push(clock.now()));
  await base.sleep(499);
  expect(ran).toEqual([]);
  await base.sleep(1);
  expect(ran).toEqual([500]);
});

test('what falls due while time is moved runs in order, each at its time', async () => {
  const { clock } = clocks();
  const ran: [string, number][] = [];
  clock.at(2 * hour, () => void ran.push(['second', clock.now()]));
  clock.at(hour, () => void ran.push(['first', clock.now()]));
  await clock.advance(3 * hour);
  expect(ran).toEqual([
    ['first', hour],
    ['second', 2 * hour],
  ]);
  expect(clock.now()).toBe(3 * hour);
});

test('a task that is set after time was moved past another one is not kept waiting for it', async () => {
  const { base, clock } = clocks();
  clock.at(hour, () => undefined);
  await clock.advance(2 * hour);
  const ran: number[] = [];
  clock.at(clock.now() + 4000, () => void ran.push(clock.now()));
  await base.sleep(4000);
  expect(ran).toEqual([2 * hour + 4000]);
});

test('a task that waits while time is moved comes so much earlier', async () => {
  const { base, clock } = clocks();
  const ran: number[] = [];
  clock.at(2 * hour, () => void ran.push(base.now()));
  await clock.advance(hour);
  await base.sleep(hour);
  expect(ran).toEqual([hour]);
});

test('what is cancelled or forgotten never runs', async () => {
  const { base, clock } = clocks();
  const ran: string[] = [];
  clock.at(10, () => void ran.push('cancelled'))();
  clock.at(20, () => void ran.push('forgotten'));
  clock.close();
  await base.sleep(100);
  expect(ran).toEqual([]);
});
