import { expect, test } from 'vitest';
import { closest, suggest } from './suggest.ts';

test.each([
  ['shrad', 'shard'],
  ['WCI-STS-01', 'WCI-STS-001'],
  ['limts', 'limits'],
  ['rnu', 'run'],
  ['banana', null],
])('%s is closest to %s', (word, expected) => {
  expect(closest(word, ['shard', 'run', 'strict', 'limits', 'WCI-STS-001', 'WCI-SUB-001'])).toBe(expected);
});

const ids = [
  'status-alias-ignored',
  'status-alias-first',
  'status-alias-of-others',
  'status-alias-blank',
  'alias-update',
];
test.each([
  ['status-alias-frist', " (did you mean 'status-alias-first'?)"],
  ['status-alias', " (did you mean 'status-alias-first' or 'status-alias-blank' or 'status-alias-ignored'?)"],
  ['blank-alias', " (did you mean 'status-alias-blank'?)"],
  ['update', " (did you mean 'alias-update'?)"],
  ['al', ''],
  ['--', ''],
  ['banana', ''],
])('%s suggests%s', (word, expected) => {
  expect(suggest(word, ids)).toBe(expected);
});
