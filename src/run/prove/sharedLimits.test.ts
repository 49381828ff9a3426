import { expect, test } from 'vitest';
import { readSuites } from '../../engine/session/suites.ts';
import { judgeReference } from './judgeReference.ts';
import { policyOfJob } from './job.ts';
import type { SetUp } from './setUp.ts';

/** The musts that a limiter of several keys breaks, and those that it leaves undecided. */
async function judged(defect: string, setUp: SetUp, without: readonly string[] = []) {
  const checks = await readSuites();
  const { verdicts, end, tookMs } = await judgeReference({
    checks,
    policy: policyOfJob({ dialect: {}, defect }),
    ...{ setUp, without },
  });
  const musts = [...verdicts].filter(([{ level }]) => level === 'must');
  const those = (status: string) => musts.flatMap(([{ id }, one]) => (one.status === status ? [id] : []));
  return { end, failed: those('fail'), undecided: those('inconclusive'), tookMs };
}

const minuteMs = 60_000;

test('an hour that the keys of an enterprise share leaves nothing undecided where the clock can be moved', async () => {
  const { end, failed, undecided } = await judged('hour-per-enterprise', 'embedded');
  expect({ end, failed, undecided }).toEqual({ end: 'completed', failed: ['SHR-LIM-011'], undecided: [] });
});

test.each(['limit-per-enterprise', 'limit-per-address', 'limit-shared-by-later-keys'])(
  '%s costs at most two minutes of waiting where the clock can be moved',
  async (defect) => {
    const { end, failed, undecided, tookMs } = await judged(defect, 'embedded');
    expect(end).toBe('completed');
    expect(failed).toContain('SHR-LIM-011');
    // The address of a key without quota is that of all others.
    expect(undecided.filter((id) => !/^SHR-LIM-|^WCI-JRN-01[78]$|^WCI-QTA-01[47]$/.test(id))).toEqual([]);
    expect(undecided.length).toBeLessThan(14);
    // The reference without the defect takes 12 s; checks that judge a limiter by times wait a minute each.
    expect(tookMs).toBeLessThan(2.7 * minuteMs);
  },
);

test.each<[defect: string, failed: string]>([
  ['limit-per-enterprise', 'SHR-LIM-011'],
  ['limit-per-address', 'SHR-LIM-012'],
  ['hour-per-enterprise', 'SHR-LIM-011'],
])(
  '%s with three keys is named, and not waited for longer than some minutes at a time',
  async (defect, named) => {
    const { end, failed, undecided, tookMs } = await judged(defect, 'three-keys');
    expect({ end, failed }).toEqual({ end: 'completed', failed: [named] });
    // The hour is shared as well: what does not fit into its first 1000 requests stays undecided.
    expect(undecided.length).toBeLessThan(160);
    expect(tookMs).toBeLessThan(20 * minuteMs);
  },
);

test('where only further enterprises can be made, a shared limit is passed with them', async () => {
  const { end, failed, undecided } = await judged('limit-per-enterprise', 'embedded', ['clock.advance']);
  expect({ end, failed }).toEqual({ end: 'completed', failed: ['SHR-LIM-011'] });
  expect(undecided.filter((id) => !id.startsWith('SHR-LIM-'))).toEqual([]);
});
