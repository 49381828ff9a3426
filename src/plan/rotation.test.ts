import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Check, FixtureName } from './check.ts';
import { makePlan } from './makePlan.ts';
import type { Rotation } from './rotation.ts';

/** A check with this many requests and units that verifies a requirement of its own name. */
function checkOf(id: string, requests: number, quota = 0, uses: readonly FixtureName[] = []): Check {
  return {
    ...{
      id,
      title: id,
      api: 'shared',
      kind: requests === 0 ? 'passive' : 'fixed',
      verifies: [id.toUpperCase()],
    },
    ...{
      needs: [],
      tags: [],
      uses,
      exclusive: false,
      isOneThing: false,
      cost: () => ({ requests, quota, subscriptions: 0 }),
    },
    ...{ cases: { minCases: 1, maxCases: 1 }, rows: null, run: () => Promise.resolve() },
  };
}

const checks = [
  checkOf('passive', 0),
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => checkOf(id, 4)),
  checkOf('big', 40),
  checkOf('huge', 4000),
  checkOf('unit', 1, 1),
];

/** What a round plans with this many requests, a quarter of which is for failures and one for reaching the target. */
function round(rotation: Partial<Rotation>, maxRequests = 20, maxQuota = 0, some = checks) {
  const daily = { maxRequests: 2000, maxQuota: 2, maxSubscriptions: 0 };
  const limits = {
    maxSubscriptions: 0,
    maxDurationMs: Number.POSITIVE_INFINITY,
    maxCases: 1,
    maxCasesAtPace: 1,
  };
  const plan = makePlan({
    ...{
      checks: some,
      catalogue: loadCatalogue(),
      settings: resolveSettings({}, { env: {} }),
      capabilities: new Set(),
    },
    ...{ budgets: { ...limits, maxRequests, maxQuota }, keys: 1 },
    rotation: {
      met: [],
      failing: [],
      perRound: 20,
      daily,
      kept: { maxQuota: 0, maxSubscriptions: 0 },
      ...rotation,
    },
  });
  return { planned: plan.checks.map(({ check }) => check.id), plan };
}

describe('rounds share the checks', () => {
  test('until all that fit were met, the same ones never twice', () => {
    const met: string[] = [];
    const rounds = Array.from({ length: 2 }, () => {
      const { planned } = round({ met });
      met.push(...planned.slice(1));
      return planned;
    });
    expect(rounds).toEqual([
      ['passive', 'a', 'b', 'c'],
      ['passive', 'd', 'e', 'f'],
    ]);
  });

  const small = ['b', 'c', 'a', 'd', 'e', 'f'];

  test('then a round sends little, so that a later one can pay for what takes more', () => {
    expect(round({ met: small }).planned).toEqual(['passive']);
    expect(round({ met: small }, 60).planned).toEqual(['passive', 'b', 'big']);
  });

  test('and where nothing is left to save for, those come again that were met the longest ago', () => {
    expect(round({ met: [...small, 'big'] }).planned).toEqual(['passive', 'a', 'b', 'c']);
    expect(round({ met: ['f', 'big', 'd', 'e', 'a', 'b', 'c'] }).planned).toEqual(['passive', 'd', 'e', 'f']);
  });

  test('with the checks of what fails before all others', () => {
    expect(round({ met: ['f', 'a'], failing: ['F'] }).planned).toContain('f');
  });

  test('and know which of them a day could pay for, with units and without', () => {
    const { plan } = round({});
    expect(plan.fitting).toEqual({ free: [...small].sort().concat('big'), paid: ['unit'] });
    expect(plan.skipped.find(({ check }) => check.id === 'big')).toMatchObject({
      cause: 'budget',
      reason: 'is for another round of the monitor',
    });
  });

  test('spend no unit that is kept for what goes wrong', () => {
    const kept = { maxQuota: 1, maxSubscriptions: 0 };
    expect(round({ met: small, kept }, 20, 1).planned).toEqual(['passive']);
    expect(round({ met: small, kept }, 20, 2).planned).toEqual(['passive', 'unit']);
  });

  test('spend a unit where it lets most checks run: on a record that lasts, before what only one check asks for', () => {
    const some = [
      checkOf('own', 1, 1),
      ...['x', 'y', 'z'].map((id) => checkOf(id, 4, 0, ['complete-record'])),
      checkOf('scratch', 4, 0, ['scratch-record']),
    ];
    expect(round({}, 20, 1, some).planned).toEqual(['x', 'y', 'z']);
    expect(round({ met: ['x', 'y', 'z'] }, 20, 1, some).planned).toEqual(['own']);
  });

  test('never spend a unit on what every round sends, nor on what was met already', () => {
    expect(round({ met: ['own'] }, 20, 9, [checkOf('own', 1, 1)]).planned).toEqual([]);
  });
});
