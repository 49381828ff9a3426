import { loadCatalogue } from '../../src/catalogue/loadCatalogue.ts';
import type { Settings } from '../../src/core/settings.ts';
import type { FullBudgets } from '../../src/plan/budgets.ts';
import type { Capability, Check, FixtureName } from '../../src/plan/check.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import type { Plan, PlanInput } from '../../src/plan/plan.ts';

export const catalogue = loadCatalogue();

/** A check as far as a plan of it matters. */
export interface Sketch {
  readonly id: string;
  readonly requests?: number;
  readonly perCase?: number;
  readonly quotaPerCase?: number;
  readonly quota?: number;
  readonly subscriptions?: number;
  readonly minCases?: number;
  readonly maxCases?: number;
  readonly passive?: boolean;
  readonly uses?: readonly FixtureName[];
  readonly needs?: readonly Capability[];
  readonly tags?: readonly string[];
  readonly verifies?: readonly string[];
}

export function checkOf(sketch: Sketch): Check {
  const { id, requests = 1, perCase = 0, quota = 0, quotaPerCase = 0, subscriptions = 0 } = sketch;
  const { minCases = 1, maxCases = 50 } = sketch;
  const count = (cases: number) => Math.min(maxCases, Math.max(minCases, cases));
  return {
    id,
    title: id,
    api: id.startsWith('wci') ? 'webcheckin' : id.startsWith('fla') ? 'flight-alerts' : 'shared',
    kind: sketch.passive ? 'passive' : perCase > 0 ? 'property' : 'fixed',
    verifies: sketch.verifies ?? ['WCI-LST-001'],
    needs: sketch.needs ?? [],
    tags: sketch.tags ?? [],
    uses: sketch.uses ?? [],
    exclusive: false,
    isOneThing: false,
    cost: (cases) => ({
      requests: sketch.passive ? 0 : perCase > 0 ? perCase * count(cases) : requests,
      quota: quota + quotaPerCase * count(cases),
      subscriptions,
    }),
    cases: { minCases, maxCases },
    rows: null,
    run: () => Promise.resolve(),
  };
}

/** What a test says of a plan's input. */
export type Given = Partial<Omit<PlanInput<Check>, 'settings' | 'budgets'>> & {
  readonly settings?: Partial<Settings>;
  readonly budgets?: Partial<FullBudgets>;
};

/** A plan of these checks; everything else is filled in. */
export function planOf(checks: readonly Sketch[], given: Given = {}): Plan {
  return makePlan({
    catalogue,
    checks: checks.map(checkOf),
    capabilities: new Set(),
    keys: 1,
    ...given,
    budgets: {
      maxRequests: 1000,
      maxQuota: 100,
      maxSubscriptions: 100,
      maxDurationMs: Infinity,
      maxCases: 10,
      maxCasesAtPace: 10,
      ...given.budgets,
    },
    settings: {
      apis: ['webcheckin', 'flight-alerts'],
      only: [],
      shard: null,
      flights: [],
      limits: { perMinute: 60, perHour: 1000 },
      share: 1,
      ...given.settings,
    } as unknown as Settings,
  });
}

export const ids = (list: readonly { check: Check }[]) => list.map(({ check }) => check.id);
