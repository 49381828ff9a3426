import { expect, test } from 'vitest';
import { closest } from './suggest.ts';

test.each([
  ['shrad', 'shard'],
  ['WCI-STS-01', 'WCI-STS-001'],
  ['limts', 'limits'],
  ['rnu', 'run'],
  ['banana', null],
])('%s is closest to %s', (word, expected) => {
  expect(closest(word, ['shard', 'run', 'strict', 'limits', 'WCI-STS-001', 'WCI-SUB-001'])).toBe(expected);
});
