import { expect, test } from 'vitest';
import { readSuites } from '../../engine/session/suites.ts';
import { policyOfJob } from './job.ts';
import { judgeReference } from './judgeReference.ts';

test.each([
  ['booking-id-text', ['WCI-STS-017', 'WCI-SUB-007']],
  ['total-pages-text', ['WCI-LST-016']],
  ['email-required', null],
  ['lookup-wrapped', ['FLA-GET-002', 'FLA-GET-005']],
  ['lookup-single-unwrapped', ['FLA-GET-002', 'FLA-GET-005']],
  ['status-wrapped', ['WCI-STS-005']],
  ['list-meta', ['WCI-LST-001']],
])('%s breaks its own rules, and leaves hardly another one undecided', async (defect, failed) => {
  const checks = (await readSuites()).filter(({ tags }) => !tags.includes('limits'));
  const { verdicts } = await judgeReference({ checks, policy: policyOfJob({ dialect: {}, defect }) });
  const musts = [...verdicts].filter(([{ level }]) => level === 'must');
  const those = (status: string) => musts.flatMap(([{ id }, one]) => (one.status === status ? [id] : []));
  if (failed) expect(those('fail').sort()).toEqual(failed);
  // What is no array shows no legs.
  expect(those('inconclusive').length).toBeLessThan(defect === 'lookup-wrapped' ? 6 : 3);
});
