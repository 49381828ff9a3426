import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { differs } from '../../judge/kernel/judgement.ts';
import type { Oracle } from '../../judge/kernel/oracle.ts';
import { sampleOf } from '../../judge/kernel/sample.ts';
import { recordedOracles } from './recordedOracles.ts';

const breaking = (rule: string): Oracle => ({
  ...{ id: 'test', title: 'a title', verifies: [rule] },
  createWatch: () => ({ exchange: () => [sampleOf(rule, differs('a', 'x', 1, 2))] }),
});

const shown = { isWhole: false, showsCredentials: true } as const;

test.each<[what: string, rule: string, check: string, more: object, kept: number]>([
  ['the HAR of a run', 'SHR-LIM-002', 'wci.list.empty', { isOwn: true }, 0],
  ['the HAR of a run', 'FLA-GET-026', 'wci.list.empty', { isOwn: true }, 0],
  ['the HAR of a run', 'WCI-LST-002', 'wci.list.empty', { isOwn: true }, 1],
  [
    'an old journal with the moves of the clock',
    'SHR-LIM-002',
    'wci.list.empty',
    { isOwn: true, movedMs: 0 },
    1,
  ],
  ['the HAR of a proxy', 'SHR-LIM-002', 'proxy', { isOwn: true }, 1],
  ['the HAR of a browser', 'SHR-LIM-002', 'recording', { isOwn: false }, 1],
])('%s says of %s what it can', (_, rule, check, more, kept) => {
  const one = { ...exchange({ operation: 'wci.list' }), check };
  const limited = recordedOracles([breaking(rule)]);
  limited.add({ evidence: one, isOwn: false, ...shown, ...more });
  const samples = limited.oracles.flatMap((oracle) => oracle.createWatch().exchange?.(one) ?? []);
  expect([samples.length, limited.withheld.size]).toEqual([kept, 1 - kept]);
});
