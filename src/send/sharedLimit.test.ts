import { expect, test } from 'vitest';
import { VirtualClock } from '../core/virtualClock.ts';
import { KeyRing } from './keyRing.ts';
import { Pacer } from './pacer.ts';

const limits = [
  { limit: 60, windowMs: 60_000 },
  { limit: 100, windowMs: 3_600_000 },
];

function paced(primary: number, other = 0) {
  const values = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`);
  const ring = KeyRing.of({ primary: values('one', primary), other: values('two', other), special: {} });
  const clock = new VirtualClock(0);
  return { clock, keys: ring.primary, others: ring.other, pacer: new Pacer({ clock, limits }) };
}

/** Sends with keys in turn, without waiting. */
function send({ pacer }: ReturnType<typeof paced>, keys: KeyRing['primary'], count: number): void {
  for (let sent = 0; sent < count; sent += 1) pacer.force(keys).done();
}

test.each<[primary: number, sent: number, waitMs: number, shared: object | null]>([
  [3, 60, 40_000, { scope: 'enterprise', window: limits[0] }],
  [3, 100, 3_000_000, { scope: 'enterprise', window: limits[1] }],
  // Far from what they may send together: others use the key.
  [3, 30, 40_000, null],
  [3, 150, 40_000, null],
  // It has used up its own limit.
  [1, 60, 40_000, null],
])('%i keys of one enterprise that sent %i, refused for %i ms', (primary, sent, waitMs, shared) => {
  const run = paced(primary);
  send(run, run.keys, sent);
  const [first] = run.keys;
  expect(first && run.pacer.sharedBy(first, waitMs)).toEqual(shared);
});

test('keys of two enterprises that are refused together share the limit of their address', () => {
  const run = paced(1, 1);
  send(run, [...run.keys, ...run.others], 60);
  const [first] = run.keys;
  expect(first && run.pacer.sharedBy(first, null)).toMatchObject({ scope: 'address' });
});

test('a shared limit is kept for what was sent before it showed, by all keys together', () => {
  const run = paced(3, 1);
  const { pacer, keys, others, clock } = run;
  send(run, keys, 20);
  expect(pacer.share({ scope: 'enterprise', window: { limit: 60, windowMs: 60_000 } })).toBe(true);
  expect([pacer.room(keys), pacer.room(others), pacer.capacity([...keys, ...others])]).toEqual([40, 60, 120]);
  send(run, keys, 40);
  expect([pacer.tryAcquire(keys), pacer.room(keys), pacer.roomIn(keys, 60)]).toEqual([null, 0, 61_000]);
  clock.advance(61_000);
  expect([
    pacer.room(keys),
    pacer.share({ scope: 'enterprise', window: { limit: 60, windowMs: 60_000 } }),
  ]).toEqual([60, false]);
});

test('only refusals lock keys out: an own full hour does not, a shared one does for all of them', () => {
  const run = paced(3);
  const { pacer, keys } = run;
  send(run, keys, 100);
  expect(pacer.refusedFor(keys)).toBe(0);
  pacer.share({ scope: 'enterprise', window: { limit: 100, windowMs: 3_600_000 } });
  expect(pacer.refusedFor(keys)).toBe(3_601_000);
});
