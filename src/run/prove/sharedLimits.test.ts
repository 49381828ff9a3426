import { expect, test } from 'vitest';
import { loadSuites } from '../../engine/suites.ts';
import { judgeReference } from './judgeReference.ts';
import { policyOfJob } from './job.ts';
import type { SetUp } from './setUp.ts';

/** The musts that a limiter of several keys breaks, and those that it leaves undecided. */
async function judged(defect: string, setUp: SetUp) {
  const checks = await loadSuites();
  const { verdicts, end } = await judgeReference({
    checks,
    policy: policyOfJob({ dialect: {}, defect }),
    setUp,
  });
  const musts = [...verdicts].filter(([{ level }]) => level === 'must');
  const those = (status: string) => musts.flatMap(([{ id }, one]) => (one.status === status ? [id] : []));
  return { end, failed: those('fail'), undecided: those('inconclusive') };
}

test.each<[defect: string, setUp: SetUp, failed: string]>([
  ['limit-per-enterprise', 'three-keys', 'SHR-LIM-011'],
  ['limit-per-address', 'three-keys', 'SHR-LIM-012'],
  ['hour-per-enterprise', 'embedded', 'SHR-LIM-011'],
  ['hour-per-enterprise', 'three-keys', 'SHR-LIM-011'],
])('%s, with what a user of %s has, leaves nothing undecided', async (defect, setUp, failed) => {
  expect(await judged(defect, setUp)).toEqual({ end: 'completed', failed: [failed], undecided: [] });
});

test('a minute that all keys of an enterprise share leaves only other rules of the limits undecided', async () => {
  const { end, failed, undecided } = await judged('limit-per-enterprise', 'embedded');
  expect({ end, failed }).toEqual({ end: 'completed', failed: ['SHR-LIM-011'] });
  expect(undecided.filter((id) => !id.startsWith('SHR-LIM-'))).toEqual([]);
  expect(undecided.length).toBeLessThan(10);
});
