import { expect, test } from 'vitest';
import type { JournalLine } from '../../send/journalLine.ts';
import { movesIn } from './journalLines.ts';

const at = '2026-07-01T10:00:00.000Z';
const clock = (movedMs: unknown): JournalLine => ({ type: 'event', at, name: 'clock', data: { movedMs } });
const exchange = (id: string) => ({ type: 'exchange', id }) as unknown as JournalLine;

test('a journal says how far the clock had been moved at each exchange', () => {
  const other: JournalLine = { type: 'event', at, name: 'notice', data: { movedMs: 1 } };
  const lines = [exchange('x1'), clock(60_000), exchange('x2'), other, clock('far'), exchange('x3')];
  const moves = movesIn([...lines, clock(0), exchange('x4')]);
  expect([...moves]).toEqual([
    ['x2', 60_000],
    ['x3', 60_000],
  ]);
});
