import { expect, test } from 'vitest';
import { matches } from './pattern.ts';

test.each([
  ['WCI-SUB-001', 'WCI-SUB-001', true],
  ['WCI-SUB-001', 'WCI-SUB-0011', false],
  ['WCI-*', 'WCI-SUB-001', true],
  ['*-001', 'WCI-SUB-001', true],
  ['WCI-*-001', 'WCI-SUB-001', true],
  ['WCI-*-001', 'WCI-SUB-002', false],
  ['*', 'anything', true],
  ['', 'anything', false],
  ['wci-sub-*', 'WCI-SUB-001', true],
  ['a.b', 'aXb', false],
  ['lookup.(fast)', 'lookup.(fast)', true],
  ['lookup/*', 'lookup/normalization', true],
])('%s against %s is %s', (pattern, id, expected) => {
  expect(matches(pattern, id)).toBe(expected);
});
