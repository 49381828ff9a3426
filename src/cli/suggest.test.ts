import { expect, test } from 'vitest';
import { closest } from './suggest.ts';

test.each([
  ['shrad', 'shard'],
  ['WCI-STA-01', 'WCI-STA-001'],
  ['limts', 'limits'],
  ['banana', null],
])('%s is closest to %s', (word, expected) => {
  expect(closest(word, ['shard', 'strict', 'limits', 'WCI-STA-001', 'WCI-SUB-001'])).toBe(expected);
});
