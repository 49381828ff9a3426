import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../src/core/virtualClock.ts';
import { judgeRows } from '../src/engine/findings/verdicts.ts';
import { loadCatalogue } from '../src/catalogue/loadCatalogue.ts';
import { readSuites } from '../src/engine/session/suites.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { virtualRun, type VirtualRun } from './support/virtualRun.ts';

const catalogue = loadCatalogue();
const checks = await readSuites();

/** All of web check-in that needs no state handler, with one key of each of two enterprises and little to spend; a quarter stays free. */
async function smallRun(seed: number): Promise<VirtualRun> {
  const clock = new VirtualClock(Date.UTC(2026, 6, 15, 9, 30));
  const { enterprises, keys } = defaultEnterprises(1);
  const deployment = createDeployment({
    clock,
    enterprises,
    limits: { perMinute: 60, perHour: 1000 },
    deliver: () => Promise.resolve({ status: null }),
  });
  return virtualRun({
    app: (request) => deployment.fetch(request),
    clock,
    primary: keys.primary.slice(0, 1),
    other: keys.other.slice(0, 1),
    config: {
      apis: ['webcheckin'],
      seed,
      budgets: { maxRequests: 658, maxQuota: 48 },
    },
  });
}

describe.each([1, 2, 3])('web check-in within 658 requests and 48 quota units, seed %i', async (seed) => {
  const { plan, session, exchanges } = await smallRun(seed);

  test('the plan leaves nothing out for want of a budget', () => {
    const dropped = plan.skipped.filter(({ cause }) => cause === 'budget').map(({ check }) => check.id);
    expect(dropped).toEqual([]);
    expect(plan.total.requests).toBeLessThanOrEqual(658);
    expect(plan.total.quota).toBeLessThanOrEqual(48);
  });

  test('the run sends what the plan says, within a tenth', () => {
    expect(session.end).toBe('completed');
    expect(exchanges.length).toBeGreaterThan(plan.total.requests * 0.9);
    expect(exchanges.length).toBeLessThan(plan.total.requests * 1.1);
    expect(session.traffic.allowance.spent.quota).toBeLessThanOrEqual(plan.total.quota);
  });

  test('every requirement of web check-in is judged that takes no more than keys of two enterprises', () => {
    const enough = ['black-box', 'second-enterprise'];
    const rows = catalogue.requirements.filter(
      ({ id, observe, needs, excused }) =>
        id.startsWith('WCI-') && excused === null && [observe, ...needs].every((one) => enough.includes(one)),
    );
    const given = { checks, outcomes: session.outcomes, dialect: session.dialect, pins: {} };
    const unjudged = [...judgeRows(rows, given)].filter(([, { status }]) => status !== 'pass');
    expect(rows.length).toBeGreaterThan(200);
    expect(unjudged.map(([{ id }, { status, reason }]) => `${id} ${status}: ${reason ?? ''}`)).toEqual([]);
  });
});
