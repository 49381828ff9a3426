import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkOf, ids, planOf, type Given, type Sketch } from '../../test/support/sketchedPlans.ts';
import type { Capability, FixtureName } from './check.ts';
import { familiarFlights } from './familiarFlights.ts';
import { isSelected } from './makePlan.ts';
import type { Plan } from './plan.ts';

test('a plan keeps the order of the checks, and adds up what they, their fixtures and the first reach cost', () => {
  const plan = planOf([
    { id: 'wci.b', requests: 3, uses: ['workbench-record'] },
    { id: 'wci.a', requests: 4, quota: 2, uses: ['complete-record'] },
    { id: 'fla.c', subscriptions: 1, uses: ['polling-subscription'] },
  ]);
  expect(ids(plan.checks)).toEqual(['wci.b', 'wci.a', 'fla.c']);
  expect(new Set(plan.fixtures)).toEqual(
    new Set(['complete-record', 'workbench-record', 'known-flight', 'polling-subscription']),
  );
  // 1 first request, 8 of checks, 2 records, 1 subscription, and the flights that have to be searched for.
  expect(plan.total).toEqual({ requests: 12 + familiarFlights.length, quota: 4, subscriptions: 2 });
});

test.each<[what: string, given: Given, lookups: number]>([
  ['nobody names one', {}, familiarFlights.length],
  [
    'the config names one',
    { settings: { flights: [{ flightNumber: 'XX1', departureDate: 1, legs: [] }] } },
    1,
  ],
  ['a state handler makes one', { capabilities: new Set<Capability>(['state:flights.put']) }, 1],
])('a known flight costs the lookups that it may take: %s', (_what, given, lookups) => {
  expect(planOf([{ id: 'fla.a', uses: ['known-flight'] }], given).total.requests).toBe(2 + lookups);
});

describe('what is left out says why', () => {
  test.each<[cause: string, sketch: Partial<Sketch>, given: Given, reason: RegExp, hint: RegExp | null]>([
    ['capability', { needs: ['other-enterprise'] }, {}, /needs other-enterprise/, /GATECHECK_KEYS_OTHER/],
    ['capability', { needs: ['state:reset'] }, {}, /needs state:reset/, /--state-handler/],
    ['selection', {}, { settings: { apis: ['flight-alerts'] } }, /no webcheckin API/, /--api/],
    ['selection', {}, { settings: { only: ['FLA-*'] } }, /not asked for/, null],
    [
      'budget',
      { requests: 99 },
      { budgets: { maxRequests: 50 } },
      /^takes 99 requests, but the budget of 50 has only 37 left$/,
      /--max-requests 133 would be enough for it, --max-requests \d+ for all checks: a quarter, at least 1, is reserved/,
    ],
    [
      'budget',
      { quota: 2 },
      { budgets: { maxQuota: 1 } },
      /takes 2 quota units.* has none left/,
      /--max-quota 3 /,
    ],
    [
      'budget',
      { subscriptions: 1, quota: 5 },
      { budgets: { maxSubscriptions: 0, maxQuota: 4 } },
      /takes 5 quota units.* has only 3 left; takes 1 subscription, but the budget of 0 has none left/,
      /--max-quota 6 and --max-subscriptions 2 would be enough for it/,
    ],
  ])('%s: %j', (cause, sketch, given, reason, hint) => {
    const { checks, skipped } = planOf([{ id: 'wci.a', ...sketch }], given);
    expect(checks).toEqual([]);
    expect(skipped[0]).toMatchObject({ cause, reason: expect.stringMatching(reason) as string });
    if (hint === null) expect(skipped[0]?.hint).toBeNull();
    else expect(skipped[0]?.hint).toMatch(hint);
  });

  test('of two checks of one requirement, the budget that left out the able one comes first', () => {
    const able = { id: 'wci.able', requests: 99 };
    const unable = { id: 'wci.a', needs: ['real-time'] } as const;
    const { skipped } = planOf([unable, able], { budgets: { maxRequests: 50 } });
    expect(skipped.map(({ cause }) => cause)).toEqual(['budget', 'capability']);
  });
});

test('of those that take nothing but requests, the plan names those that the reserve may pay for', () => {
  const plan = planOf(
    [
      { id: 'wci.planned', requests: 40, tags: ['smoke'] },
      { id: 'wci.small', requests: 9 },
      { id: 'wci.large', requests: 30 },
      { id: 'wci.costly', requests: 9, quota: 1 },
    ],
    { budgets: { maxRequests: 60 } },
  );
  expect(ids(plan.checks)).toEqual(['wci.planned']);
  expect(ids(plan.further)).toEqual(['wci.small']);
  expect(plan.skipped.map(({ check }) => check.id)).toContain('wci.small');
});

test('where not all fits, smoke checks come first, and then what verifies most for a request', () => {
  const plan = planOf(
    [
      { id: 'wci.dear', requests: 5, verifies: ['a'] },
      { id: 'wci.worth', requests: 5, verifies: ['a', 'b', 'c'] },
      { id: 'wci.smoke', requests: 5, verifies: ['a'], tags: ['smoke'] },
      { id: 'wci.passive', passive: true },
    ],
    { budgets: { maxRequests: 14 } },
  );
  expect(ids(plan.checks)).toEqual(['wci.worth', 'wci.smoke', 'wci.passive']);
});

describe('generated cases', () => {
  test('are shared out evenly, within the budgets and the bounds of each property', () => {
    const plan = planOf(
      [
        { id: 'wci.a', perCase: 1 },
        { id: 'wci.b', perCase: 2 },
        { id: 'wci.c', perCase: 1, maxCases: 2 },
        { id: 'wci.d', perCase: 1, minCases: 8 },
      ],
      { budgets: { maxRequests: 45 } },
    );
    expect(plan.checks.map(({ cases }) => cases)).toEqual([7, 7, 2, 8]);
    expect(plan.total.requests).toBe(32);
  });

  test('follow the quota, too', () => {
    const plan = planOf([{ id: 'wci.a', perCase: 1, quotaPerCase: 1 }], { budgets: { maxQuota: 5 } });
    expect(plan.checks[0]).toMatchObject({ cases: 4, cost: { quota: 4 } });
  });

  test('leave room for full forms where all forms are sparing: for those that take least more', () => {
    const given = [
      { id: 'wci.dear', perCase: 9, maxCases: 2 },
      { id: 'wci.cheap', perCase: 2, maxCases: 2 },
      { id: 'wci.costly', perCase: 1, quotaPerCase: 9, maxCases: 2 },
      { id: 'wci.generated', perCase: 1 },
    ];
    const budgets = { maxRequests: 24, maxQuota: 14 };
    const casesOf = (plan: Plan) => plan.checks.map(({ cases }) => cases);
    expect(casesOf(planOf(given, { budgets }))).toEqual([1, 2, 1, 1]);
    expect(casesOf(planOf(given, { budgets: { ...budgets, maxCasesAtPace: 1 } }))).toEqual([1, 1, 1, 1]);
  });

  test('are none where nothing is generated', () => {
    expect(planOf([{ id: 'wci.a' }]).checks[0]?.cases).toBe(0);
  });
});

test.each<[requests: number, keys: number, ms: number]>([
  [59, 1, 0],
  [60, 1, 60_000],
  [119, 2, 0],
  [179, 1, 120_000],
  [999, 1, 16 * 60_000],
  [1000, 1, 3_600_000],
  [2599, 1, 2 * 3_600_000 + 9 * 60_000],
])('beside the first reach, %i requests with %i keys take at least %i ms', (requests, keys, ms) => {
  const plan = planOf([{ id: 'wci.a', requests }], { keys, budgets: { maxRequests: 10_000 } });
  expect(plan.expectedMs).toBe(ms);
});

describe('records of earlier runs', () => {
  const reader: Sketch = { id: 'wci.read', uses: ['complete-record'], requests: 2 };
  const writer: Sketch = { id: 'wci.write', quota: 3, requests: 1 };
  const booked = new Set<FixtureName>(['complete-record']);

  test('stand in where the quota does not do for all', () => {
    const { usesBook, total } = planOf([reader, writer], { booked, budgets: { maxQuota: 4 } });
    expect([usesBook, total.quota]).toEqual([true, 3]);
  });

  test('are left alone where it does, since what a new one is answered tells more', () => {
    const { usesBook, total } = planOf([reader, writer], { booked });
    expect([usesBook, total.quota]).toEqual([false, 4]);
  });

  test('are none for what asks for a new one', () => {
    const fresh: Sketch = { id: 'wci.fresh', uses: ['fresh-record'] };
    const costly: Sketch = { id: 'wci.costly', quota: 9 };
    const given = { booked, budgets: { maxQuota: 4 } };
    expect(planOf([fresh, costly], given).total).toMatchObject({ quota: 1, requests: 4 });
  });
});

test('with a share of the limits, the same requests take longer', () => {
  const [one, half] = [1, 0.5].map((share) =>
    planOf([{ id: 'wci.a', requests: 119 }], { settings: { share }, budgets: { maxRequests: 10_000 } }),
  );
  expect([one?.expectedMs, half?.expectedMs]).toEqual([60_000, 180_000]);
});

describe('--only', () => {
  const check = checkOf({ id: 'wci.status.own', tags: ['smoke'], verifies: ['WCI-STS-001', 'WCI-STS-002'] });

  test.each<[only: string[], selected: boolean]>([
    [[], true],
    [['wci.status.own'], true],
    [['wci.*'], true],
    [['WCI-STS-002'], true],
    [['wci-sts-*'], true],
    [['smoke'], true],
    [['fla.*', 'smoke'], true],
    [['own'], false],
    [['WCI-STS-00'], false],
  ])('%j asks for it: %s', (only, selected) => {
    expect(isSelected(check, only)).toBe(selected);
  });

  const suite: readonly Sketch[] = [
    { id: 'shared.passive.a', passive: true, verifies: ['SHR-ERR-001'] },
    { id: 'wci.smoke', tags: ['smoke'], requests: 2, uses: ['complete-record'] },
    { id: 'fla.smoke', tags: ['smoke'], perCase: 1, minCases: 2 },
    { id: 'wci.other' },
    { id: 'wci.unable', tags: ['smoke'], needs: ['other-enterprise'] },
  ];

  test('that asks for passive checks alone lets the smoke checks make the traffic, unheard', () => {
    const plan = planOf(suite, { settings: { only: ['SHR-ERR-001'] } });
    expect(ids(plan.checks)).toEqual(['shared.passive.a']);
    expect(ids(plan.carriers)).toEqual(['wci.smoke', 'fla.smoke']);
    expect(ids(plan.skipped)).toEqual(['wci.smoke', 'fla.smoke', 'wci.other', 'wci.unable']);
    expect(plan.total).toEqual({ requests: 14, quota: 1, subscriptions: 0 });
  });

  test('keeps them within the budgets and to the APIs of the target', () => {
    const only = ['SHR-ERR-001'];
    expect(ids(planOf(suite, { settings: { only, apis: ['flight-alerts'] } }).carriers)).toEqual([
      'fla.smoke',
    ]);
    expect(ids(planOf(suite, { settings: { only }, budgets: { maxRequests: 5 } }).carriers)).toEqual([
      'wci.smoke',
    ]);
  });

  test.each([[['SHR-ERR-001', 'wci.other']], [['wci.other']], [['nothing']], [[]]])(
    'needs none for %j',
    (only) => {
      expect(planOf(suite, { settings: { only } }).carriers).toEqual([]);
    },
  );
});

test('a check that is asked for by its id brings along what judges its traffic passively', () => {
  const suite: Sketch[] = [
    { id: 'wci.one', verifies: ['WCI-STS-001'] },
    { id: 'wci.passive.of-it', passive: true, verifies: ['WCI-STS-001', 'WCI-STS-002'] },
    { id: 'wci.passive.of-others', passive: true, verifies: ['WCI-STS-002'] },
  ];
  const plan = planOf(suite, { settings: { only: ['wci.one'] } });
  expect(ids(plan.checks)).toEqual(['wci.one', 'wci.passive.of-it']);
});

test('shards are disjoint, and complete together; passive checks belong to each', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 40 });
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 6 }), (all, total) => {
      const checks = [...all.map((name) => ({ id: `wci.${name}` })), { id: 'wci.passive', passive: true }];
      const shards = Array.from({ length: total }, (_, index) =>
        ids(planOf(checks, { settings: { shard: { index: index + 1, total } } }).checks),
      );
      for (const shard of shards) expect(shard).toContain('wci.passive');
      const active = shards.flat().filter((id) => id !== 'wci.passive');
      expect(active.sort()).toEqual(all.map((name) => `wci.${name}`).sort());
    }),
    { numRuns: 50 },
  );
});

test('no plan goes beyond three quarters of its budgets, and every check is either planned or said to be left out', () => {
  const small = fc.nat(6);
  const sketches = fc.array(
    fc.record({
      requests: fc.integer({ min: 1, max: 9 }),
      perCase: fc.nat(2),
      quotaPerCase: fc.nat(1),
      quota: small,
      subscriptions: fc.nat(2),
      minCases: fc.integer({ min: 1, max: 3 }),
      uses: fc.subarray<FixtureName>([
        'complete-record',
        'workbench-record',
        'known-flight',
        'polling-subscription',
      ]),
    }),
    { maxLength: 12 },
  );
  const budgets = fc.record({ maxRequests: fc.nat(80), maxQuota: fc.nat(20), maxSubscriptions: fc.nat(8) });
  fc.assert(
    fc.property(sketches, budgets, (all, limits) => {
      const plan = planOf(
        all.map((sketch, index) => ({ ...sketch, id: `wci.${index}` })),
        { budgets: limits },
      );
      if (plan.checks.length > 0) {
        const plannable = (budget: number) => budget - Math.floor(budget / 4);
        expect(plan.total.requests).toBeLessThanOrEqual(plannable(limits.maxRequests));
        expect(plan.total.quota).toBeLessThanOrEqual(plannable(limits.maxQuota));
        expect(plan.total.subscriptions).toBeLessThanOrEqual(plannable(limits.maxSubscriptions));
      }
      expect(plan.checks.length + plan.skipped.length).toBe(all.length);
      const sum = plan.checks.reduce((requests, { cost }) => requests + cost.requests, 0);
      expect(plan.total.requests).toBeGreaterThanOrEqual(sum + 1);
    }),
    { numRuns: 200 },
  );
});
