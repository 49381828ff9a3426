import { expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defects } from '../src/reference/defects.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy } from '../src/reference/policy.ts';
import { judgedRows } from '../src/run/judgedRows.ts';
import { virtualRun } from './support/virtualRun.ts';

/** What a run of nothing but one check says of a requirement, against the reference with one defect. */
async function runAlone(check: string, defect: string, requirement: string): Promise<string | undefined> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const { enterprises, keys } = defaultEnterprises(2);
  const deployment = createDeployment({
    clock,
    enterprises,
    policy: { ...documentedPolicy, ...defects.find(({ id }) => id === defect)?.policy },
    limits: { perMinute: 60, perHour: 1000 },
    deliver: () => Promise.resolve({ status: null }),
  });
  const { session, settings, checks } = await virtualRun({
    app: (request) => deployment.fetch(request),
    clock,
    primary: keys.primary,
    other: keys.other,
    config: { only: [check], seed: 7, budgets: { maxRequests: 400, maxQuota: 60 } },
  });
  const rows = judgedRows(settings, { checks, outcomes: session.outcomes, dialect: session.dialect });
  return [...rows].find(([{ id }]) => id === requirement)?.[1].status;
}

// The records that units are measured by are made in this run, and are not those of somebody else.
test.each([
  ['wci.quota.units', 'quota-per-passenger', 'WCI-QTA-001', 'fail'],
  ['wci.quota.units', 'refused-subscribe-charged', 'WCI-QTA-008', 'fail'],
  ['wci.quota.second-key', 'quota-two-units', 'WCI-QTA-001', 'fail'],
])('%s by itself sees %s', async (check, defect, requirement, status) => {
  expect(await runAlone(check, defect, requirement)).toBe(status);
});
