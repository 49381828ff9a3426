import { expect, test } from 'vitest';
import { tickMs } from './clocks.ts';

test.each<[shown: string | undefined, ms: number, why: string]>([
  ['2026-03-01T12:00:00.000Z', 1100, 'may be a whole second'],
  ['2026-03-01T12:00:00.400Z', 140, 'may be a tenth of one'],
  ['2026-03-01T12:00:00.123Z', 50, 'shows milliseconds'],
  ['2026-03-01 12:00', 1100, 'is no timestamp'],
  [undefined, 1100, 'is absent'],
])('a time %s is another one after %i ms, since it %s', (shown, ms) => {
  expect(tickMs(shown)).toBe(ms);
});
