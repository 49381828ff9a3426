import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { subscribe } from '../../send/request.ts';
import { Ledger } from './ledger.ts';

const booking = subscribe({});

/** An accepted subscribe that was under way from `sent` to `received`; without `consumed` it shows no quota. */
function accepted(id: string, [sent, received]: readonly [number, number], consumed?: number): Exchange {
  const quota = consumed === undefined ? {} : { quota: { included_units: 100, consumed_units: consumed } };
  const one = exchange({
    operation: 'wci.subscribe',
    body: { success: true, message: 'SCHEDULED', checkin_id: id, ...quota },
  });
  return { ...one, timings: { ...one.timings, sent, received } };
}

/** What a ledger counts for these answers: units, and those of them that it takes back. */
function count(...answers: readonly Exchange[]): { counted: number; unspent: number; effects: number } {
  const ledger = new Ledger();
  let counted = 0;
  let unspent = 0;
  for (const answer of answers) {
    if (ledger.wasSpent(booking, answer)) counted += 1;
    unspent += ledger.takeUnspent();
  }
  const effects = ledger.sideEffects.filter(({ kind }) => kind === 'quota').length;
  return { counted, unspent, effects };
}

describe('a repeated subscribe that shows no quota', () => {
  test('is counted as long as nothing proves that it cost nothing', () => {
    expect(count(accepted('a', [0, 1], 5), accepted('a', [2, 3]))).toEqual({
      counted: 2,
      unspent: 0,
      effects: 2,
    });
  });

  test('is taken back when a later snapshot has no room for it', () => {
    expect(
      count(accepted('a', [0, 1], 5), accepted('a', [2, 3]), accepted('a', [4, 5]), accepted('b', [6, 7], 6)),
    ).toEqual({ counted: 4, unspent: 2, effects: 2 });
  });

  test('stays counted where the snapshot has room for it, whoever took the unit', () => {
    expect(count(accepted('a', [0, 1], 5), accepted('a', [2, 3]), accepted('b', [4, 5], 7))).toEqual({
      counted: 3,
      unspent: 0,
      effects: 3,
    });
  });

  test('leaves room for a new record that shows no quota either', () => {
    expect(
      count(accepted('a', [0, 1], 5), accepted('c', [2, 3]), accepted('a', [4, 5]), accepted('b', [6, 7], 7)),
    ).toEqual({ counted: 4, unspent: 1, effects: 3 });
  });

  test.each<[what: string, repeat: readonly [number, number]]>([
    ['began before the first snapshot was here', [0.5, 3]],
    ['ended after the second one was asked for', [2, 6.5]],
  ])('stays counted where it %s', (_what, repeat) => {
    expect(count(accepted('a', [0, 1], 5), accepted('a', repeat), accepted('b', [6, 7], 6)).unspent).toBe(0);
  });
});
