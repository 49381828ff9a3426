import { expect, test } from 'vitest';
import type { CallbackWaits } from '../observe/callbacks.ts';
import { PropertyBounds } from './searchSmallest.ts';

function boundsOf(given: { requests: number; ms: number }, minCases = 2): PropertyBounds {
  const waits = {
    get ms() {
      return given.ms;
    },
  } as CallbackWaits;
  return new PropertyBounds({ requests: () => given.requests, waits, minCases, shrinkBudget: () => 5 });
}

test('admits every case where nothing is waited for, and has nothing to say', () => {
  const bounds = boundsOf({ requests: 0, ms: 0 });
  expect(Array.from({ length: 50 }, () => bounds.admits())).not.toContain(false);
  expect(bounds.leftOut()).toBeNull();
});

test('admits the fewest cases that say anything, however long they wait', () => {
  const bounds = boundsOf({ requests: 0, ms: 90_000 });
  expect([1, 2, 3, 4].map(() => bounds.admits())).toEqual([true, true, false, false]);
  expect(bounds.leftOut()).toBe('ran 2 of 4 cases: it had waited 90 s for callbacks by then');
});

test('shrinks within its requests and half a minute more of waiting', () => {
  const given = { requests: 10, ms: 20_000 };
  const bounds = boundsOf(given, 0);
  bounds.beginShrinking();
  given.ms = 49_000;
  expect(bounds.admits()).toBe(true);
  given.ms = 50_000;
  expect(bounds.admits()).toBe(false);
  [given.ms, given.requests] = [20_000, 15];
  expect(bounds.admits()).toBe(false);
});
