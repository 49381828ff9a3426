import { expect, test } from 'vitest';
import { readSuites } from '../src/engine/session/suites.ts';
import type { Policy } from '../src/reference/policy.ts';
import { policyOfJob } from '../src/run/prove/job.ts';
import { judgeReference } from '../src/run/prove/judgeReference.ts';

const checks = await readSuites();

/** What is said of the booking of another enterprise, where no record can be updated any more. */
async function judged(numbers: string, policy: Partial<Policy> = {}): Promise<string | undefined> {
  const { verdicts } = await judgeReference({
    checks,
    only: ['wci.scoping.update'],
    apis: ['webcheckin'],
    policy: {
      ...policyOfJob({ defect: null, dialect: { 'booking-numbers': numbers } }),
      updateConflict: () => true,
      ...policy,
    },
  });
  return [...verdicts].find(([{ id }]) => id === 'WCI-SCP-003')?.[1].status;
}

test("a number of the caller's own booking that refuses the update says nothing of foreign ones", async () => {
  expect(await judged('by-enterprise')).toBe('not-applicable');
});

test('a number that only a foreign booking has is judged by its answer', async () => {
  expect(await judged('six-digits')).toBe('pass');
  expect(await judged('six-digits', { sees: () => true })).toBe('fail');
});
