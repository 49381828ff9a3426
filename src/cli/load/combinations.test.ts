import { expect, test } from 'vitest';
import { wrongCombinations } from './loadOptions.ts';

const faultsOf = (...given: readonly string[]) =>
  wrongCombinations(new Set(given)).map(({ where, fault }) => `${where}: ${fault}`);

test.each([
  ['--tenants', '--tenants-from'],
  ['--stages', '--duration'],
  ['--stages', '--rate'],
  ['--find-capacity', '--duration'],
  ['--find-capacity', '--workers'],
  ['--saturate', '--rate'],
  ['--journeys', '--workers'],
  ['--verbose', '--quiet'],
])('%s excludes %s', (one, other) => {
  expect(faultsOf(one, other)).toEqual([`${one}, ${other}: expected one of the two; got both`]);
});

test.each([
  ['--trial', '--find-capacity'],
  ['--connections', '--saturate'],
  ['--redis', '--workers'],
  ['--on-429', '--journeys'],
  ['--sink-manner', '--journeys'],
  ['--journeys-from', '--journeys'],
])('%s does nothing without %s', (one, needed) => {
  expect(faultsOf(one)).toEqual([
    `${one}: expected ${needed} as well, since it does nothing alone; got ${one} alone`,
  ]);
  expect(faultsOf(one, needed)).toEqual([]);
});
