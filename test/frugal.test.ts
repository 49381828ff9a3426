import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../src/core/evidence.ts';
import { VirtualClock } from '../src/core/virtualClock.ts';
import type { Config } from '../src/index.ts';
import { familiarFlights } from '../src/plan/familiarFlights.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { policyOfJob } from '../src/run/prove/job.ts';
import { virtualRun, type VirtualRun } from './support/virtualRun.ts';

const start = Date.UTC(2026, 6, 15, 9, 30);

/** The reference with the documented limits, in virtual time. */
function reference(dialect: Readonly<Record<string, string>> = {}) {
  const clock = new VirtualClock(start);
  const { enterprises, keys } = defaultEnterprises(1);
  const deployment = createDeployment({
    clock,
    enterprises,
    limits: { perMinute: 60, perHour: 1000 },
    policy: policyOfJob({ dialect, defect: null }),
    deliver: () => Promise.resolve({ status: null }),
  });
  return { clock, keys, app: (request: Request) => deployment.fetch(request) };
}

function statusOf({ outcome }: Exchange): number | null {
  return outcome.kind === 'response' ? outcome.response.status : null;
}

function refusals({ exchanges }: VirtualRun): number {
  return exchanges.filter((exchange) => statusOf(exchange) === 429).length;
}

/** Checks that sent more or less than their plan says. */
function offPlan({ plan, exchanges, session }: VirtualRun): readonly string[] {
  const skipped = new Set(
    session.outcomes
      .filter(({ verdicts }) => [...verdicts.values()].some(({ status }) => status === 'skipped'))
      .map(({ check }) => check),
  );
  return plan.checks.flatMap(({ check, cost }) => {
    const sent = exchanges.filter((exchange) => exchange.check === check.id).length;
    const asPlanned = sent === cost.requests || (skipped.has(check.id) && sent <= cost.requests);
    return check.kind === 'passive' || asPlanned
      ? []
      : [`${check.id}: ${sent} sent, ${cost.requests} planned`];
  });
}

describe('with one key and the documented limits', () => {
  test('a smoke run sends at most 60 requests within a minute, and meets no 429', async () => {
    const { app, clock, keys } = reference();
    const run = await virtualRun({
      app,
      clock,
      primary: keys.primary.slice(0, 1),
      config: { profile: 'smoke' },
    });
    expect(run.exchanges.length).toBeGreaterThan(20);
    expect(run.exchanges.length).toBeLessThanOrEqual(60);
    expect([refusals(run), run.session.end]).toEqual([0, 'completed']);
    expect(run.ms).toBeLessThan(10_000);
  });

  test.each<Config['profile']>(['smoke', 'standard'])(
    'what a %s run sends is what its plan says, and then what it need not confirm',
    async (profile) => {
      const { app, clock, keys } = reference();
      const run = await virtualRun({ app, clock, primary: keys.primary.slice(0, 1), config: { profile } });
      expect(offPlan(run)).toEqual([]);
      const further = new Set(run.plan.further.map(({ check }) => check.id));
      const sent = run.exchanges.filter(({ check }) => !further.has(check)).length;
      expect(sent).toBeLessThanOrEqual(run.plan.total.requests);
      expect(run.exchanges.length > sent).toBe(further.size > 0);
      // The first familiar flight is served here, so that the others are not looked up.
      const spared = familiarFlights.length - 1;
      expect(sent + spared).toBeGreaterThan(run.plan.total.requests * 0.9);
      expect(run.session.traffic.allowance.spent.quota).toBeLessThanOrEqual(run.plan.total.quota);
      expect(run.session.traffic.allowance.spent.subscriptions).toBeLessThanOrEqual(
        run.plan.total.subscriptions,
      );
      expect(refusals(run)).toBe(0);
      expect(run.ms).toBeLessThan(run.plan.expectedMs * 1.1 + 5000);
    },
  );

  test('two runs one after the other share the limits of their key, by the memory of the first', async () => {
    const { app, clock, keys } = reference();
    const memory = mkdtempSync(join(tmpdir(), 'gatecheck-pace-'));
    const again = () =>
      virtualRun({ app, clock, primary: keys.primary.slice(0, 1), config: { profile: 'smoke' }, memory });
    const [first, second] = [await again(), await again()];
    expect([refusals(first), refusals(second)]).toEqual([0, 0]);
    expect(second.ms).toBeGreaterThan(0);
  });

  test('without that memory the second run would have met the limit', async () => {
    const { app, clock, keys } = reference();
    const again = () =>
      virtualRun({ app, clock, primary: keys.primary.slice(0, 1), config: { profile: 'smoke' } });
    await again();
    expect(refusals(await again())).toBeGreaterThan(0);
  });
});

/** Servers that fail everything, each in its way, so that checks repeat and shrink. */
const failing: readonly (readonly [what: string, app: (request: Request) => Promise<Response>])[] = [
  ['accepts everything', () => Promise.resolve(Response.json(accepted()))],
  [
    'refuses everything',
    () => Promise.resolve(Response.json({ success: false, error: 'NOT_FOUND' }, { status: 404 })),
  ],
  [
    'fails at everything',
    () => Promise.resolve(Response.json({ success: false, error: 'OOPS' }, { status: 500 })),
  ],
  ['answers anything with an empty object', () => Promise.resolve(Response.json({}))],
  ['is out of order', () => Promise.resolve(new Response('', { status: 503 }))],
];

let records = 0;
function accepted() {
  records += 1;
  return {
    success: true,
    message: 'ACCEPTED',
    checkin_id: `c-${records}`,
    booking_id: records,
    status: 'SCHEDULED',
    sub_status: 'WAITING',
    missing_info: [],
  };
}

test('a run with few units ends as planned against a deployment that shows no quota', async () => {
  const { app, clock, keys } = reference({ quota: 'never' });
  const budgets = { maxRequests: 700, maxQuota: 8, maxSubscriptions: 5 };
  const config: Config = { apis: ['webcheckin'], budgets };
  const run = await virtualRun({ app, clock, primary: keys.primary.slice(0, 1), config });
  expect([run.session.end, run.session.traffic.allowance.spent.quota]).toEqual(['completed', 8]);
  const verdicts = run.session.outcomes.flatMap((outcome) => [...outcome.verdicts.values()]);
  const reasons = (status: string) =>
    verdicts.filter((one) => one.status === status).map(({ reason }) => reason);
  expect(reasons('inconclusive')).not.toContainEqual(expect.stringContaining('budget'));
  expect(reasons('skipped')).toContainEqual(
    expect.stringMatching(/of 8 quota units is used up, \d+ of them for repeated/),
  );
});

describe.each(failing)('against a server that %s', (_what, app) => {
  test.each([
    [60, 3, 2],
    [25, 0, 1],
    [200, 40, 20],
  ])(
    'no budget is exceeded: %i requests, %i quota units, %i subscriptions',
    async (maxRequests, maxQuota, maxSubscriptions) => {
      const count = { requests: 0, quota: 0, subscriptions: 0 };
      const counting = async (request: Request) => {
        count.requests += 1;
        const { pathname } = new URL(request.url);
        const response = await app(request);
        const mayHaveActed = response.status < 300 || response.status >= 500;
        if (mayHaveActed && request.method === 'POST' && pathname.endsWith('webcheckin/subscribe'))
          count.quota += 1;
        if (mayHaveActed && request.method === 'POST' && pathname.endsWith('flight-alerts/subscribe'))
          count.subscriptions += 1;
        return response;
      };
      const run = await virtualRun({
        app: counting,
        clock: new VirtualClock(start),
        primary: Array.from({ length: 20 }, (_, index) => `some-key-${index}`),
        config: { budgets: { maxRequests, maxQuota, maxSubscriptions } },
      });
      expect(count.requests).toBeLessThanOrEqual(maxRequests);
      expect(count.quota).toBeLessThanOrEqual(maxQuota);
      expect(run.session.traffic.allowance.spent.requests).toBe(count.requests);
      expect(run.session.traffic.allowance.spent.quota).toBeLessThanOrEqual(maxQuota);
      expect(run.session.traffic.allowance.spent.subscriptions).toBeLessThanOrEqual(maxSubscriptions);
      const left = run.session.traffic.ledger.sideEffects.filter(
        ({ kind }) => kind === 'subscription',
      ).length;
      expect(left).toBeLessThanOrEqual(maxSubscriptions);
    },
  );
});
