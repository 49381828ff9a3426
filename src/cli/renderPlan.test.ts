import { expect, test } from 'vitest';
import { twoForms, type Check } from '../plan/check.ts';
import type { Plan } from '../plan/plan.ts';
import { resolveSettings } from '../settings/settings.ts';
import { renderPlan, renderPlanJson } from './renderPlan.ts';

const settings = resolveSettings({ target: 'embedded', seed: 7 });

function check(id: string, own: Partial<Check> = {}): Check {
  return {
    id,
    title: `title of ${id}`,
    api: 'webcheckin',
    kind: 'fixed',
    verifies: ['WCI-STS-001'],
    needs: [],
    tags: [],
    uses: [],
    exclusive: false,
    isOneThing: false,
    cases: { minCases: 1, maxCases: 1 },
    cost: () => ({ requests: 1, quota: 0, subscriptions: 0 }),
    rows: null,
    run: () => Promise.resolve(),
    ...own,
  };
}

const generated = { kind: 'property', cases: { minCases: 1, maxCases: 200 } } as const;

const lacking = {
  cause: 'capability',
  reason: 'needs other-enterprise',
  hint: 'Give a key in GATECHECK_KEYS_OTHER.',
} as const;
const plan: Plan = {
  checks: [
    { check: check('wci.status.own'), cases: 0, cost: { requests: 2, quota: 0, subscriptions: 0 } },
    {
      check: check('wci.subscribe.any', generated),
      cases: 30,
      cost: { requests: 30, quota: 30, subscriptions: 0 },
    },
  ],
  carriers: [],
  usesBook: false,
  further: [],
  skipped: [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ check: check(`wci.scope.${name}`), ...lacking })),
    { check: check('fla.any'), cause: 'selection', reason: 'not asked for by --only', hint: null },
  ],
  total: { requests: 33, quota: 31, subscriptions: 0 },
  fixtures: ['complete-record'],
  expectedMs: 120_000,
  keys: 1,
  budgets: {
    maxRequests: 60,
    maxQuota: 40,
    maxSubscriptions: 0,
    maxDurationMs: Infinity,
    maxCases: 30,
    maxCasesAtPace: 3,
  },
};

test('the plan tells the sums, a line a check, and what would enable the rest', () => {
  expect(renderPlan(plan, settings)).toMatchInlineSnapshot(`
    "Plan against the embedded reference, profile standard, seed 7
      2 checks, nothing sent yet
      33 requests of at most 60, 31 quota units of at most 40, 0 subscriptions of at most 0
      about 2 min, of which the rate limits take 2 min

    check              sends     requests  quota  what it checks
    wci.status.own                      2         title of wci.status.own
    wci.subscribe.any  30 cases        30     30  title of wci.subscribe.any

    Left out: 6 checks
      5 × needs other-enterprise. Give a key in GATECHECK_KEYS_OTHER.
        wci.scope.a, wci.scope.b, wci.scope.c, wci.scope.d and 1 more
      1 × not asked for by --only
        fla.any
    "
  `);
});

const rows = { all: 34, sample: 12 };
const table = { kind: 'property', cases: twoForms, rows } as const;

test.each<[sent: string, cases: number, own: Partial<Check>]>([
  ['', 0, {}],
  ['1 case', 1, generated],
  ['20 cases', 20, generated],
  ['12 of 34 rows', 1, table],
  ['all 34 rows', 2, table],
  ['all 3 rows', 1, { ...table, rows: { all: 3, sample: 3 } }],
  ['1 case, 12 of 34 rows', 1, { ...generated, rows }],
  ['20 cases, all 34 rows', 20, { ...generated, rows }],
  ['sparing form', 1, { ...table, rows: null }],
  ['whole form', 2, { ...table, rows: null }],
])('how much of it a check sends: %j', (sent, cases, own) => {
  const cost = { requests: 2, quota: 0, subscriptions: 0 };
  const text = renderPlan({ ...plan, checks: [{ check: check('wci.one', own), cases, cost }] }, settings);
  expect(/^wci\.one +(.*?) +2 /m.exec(text)?.[1]?.trim()).toBe(sent);
});

test('as JSON it holds everything, an unlimited budget as null', () => {
  const data = JSON.parse(renderPlanJson(plan, settings)) as Record<string, unknown>;
  expect(Object.keys(data)).toMatchInlineSnapshot(`
    [
      "target",
      "profile",
      "seed",
      "total",
      "expectedMs",
      "budgets",
      "fixtures",
      "checks",
      "carriers",
      "skipped",
    ]
  `);
  expect(data).toMatchObject({ budgets: { maxDurationMs: null, maxRequests: 60 }, total: { requests: 33 } });
  expect(data.skipped).toHaveLength(6);
});
