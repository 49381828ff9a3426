import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import { matches } from '../catalogue/pattern.ts';
import { hash32 } from '../core/random.ts';
import type { Settings } from '../core/settings.ts';
import type { FullBudgets } from './budgets.ts';
import { hintFor } from './capabilities.ts';
import type { Capability, Check, Cost, FixtureName } from './check.ts';
import { familiarFlights } from './familiarFlights.ts';

/** What a run is going to do, known before anything is sent. */
export interface Plan<C extends Check = Check> {
  readonly checks: readonly PlannedCheck<C>[];
  /** Not asked for, and run all the same for the traffic that the passive checks asked for; nobody hears of them. */
  readonly carriers: readonly PlannedCheck<C>[];
  readonly skipped: readonly SkippedCheck<C>[];
  /** All that the checks and their fixtures send on a conforming target, the first reach for the target included. */
  readonly total: Cost;
  readonly fixtures: readonly FixtureName[];
  /** Shortest time that the rate limits allow for it, in milliseconds. */
  readonly expectedMs: number;
  readonly budgets: FullBudgets;
}

export interface PlannedCheck<C extends Check = Check> {
  readonly check: C;
  /** Generated cases that it gets; 0 for checks that generate none. */
  readonly cases: number;
  readonly cost: Cost;
}

export interface SkippedCheck<C extends Check = Check> {
  readonly check: C;
  /** `capability`: something is missing; `selection`: not asked for; `budget`: no room left. */
  readonly cause: 'capability' | 'selection' | 'budget';
  readonly reason: string;
  readonly hint: string | null;
}

export interface PlanInput<C extends Check> {
  readonly checks: readonly C[];
  readonly catalogue: Catalogue;
  readonly settings: Settings;
  readonly budgets: FullBudgets;
  readonly capabilities: ReadonlySet<Capability>;
  /** Keys that requests spread over. */
  readonly keys: number;
  /** How to supply a capability, where this run knows better than in general. */
  readonly hints?: Readonly<Partial<Record<Capability, string>>>;
}

/** What each shared fixture costs, once a run. */
const fixtureCosts: Readonly<Record<FixtureName, Cost>> = {
  'complete-record': { requests: 1, quota: 1, subscriptions: 0 },
  'incomplete-record': { requests: 1, quota: 1, subscriptions: 0 },
  'workbench-record': { requests: 1, quota: 1, subscriptions: 0 },
  'other-record': { requests: 1, quota: 1, subscriptions: 0 },
  'domestic-record': { requests: 1, quota: 1, subscriptions: 0 },
  'two-leg-record': { requests: 1, quota: 1, subscriptions: 0 },
  'date-line-record': { requests: 1, quota: 1, subscriptions: 0 },
  // The record over the date line; where there is none, its request and unit are spent on another.
  'scratch-record': { requests: 0, quota: 0, subscriptions: 0 },
  'known-flight': { requests: 1, quota: 0, subscriptions: 0 },
  'polling-subscription': { requests: 1, quota: 0, subscriptions: 1 },
  'callback-subscription': { requests: 2, quota: 0, subscriptions: 1 },
};

/** What a fixture costs this run: where nobody names a flight and no state handler makes one, it has to be looked for. */
function fixtureCost(name: FixtureName, { settings, capabilities }: PlanInput<Check>): Cost {
  const cost = fixtureCosts[name];
  const isNamed = settings.flights.length > 0 || capabilities.has('state:flights.put');
  return name === 'known-flight' && !isNamed ? { ...cost, requests: familiarFlights.length } : cost;
}

/** Fixtures that are made of others: their cost comes with them. */
const builtOn: Readonly<Partial<Record<FixtureName, FixtureName>>> = {
  'incomplete-record': 'complete-record',
  'workbench-record': 'complete-record',
  'other-record': 'complete-record',
  'scratch-record': 'date-line-record',
  'polling-subscription': 'known-flight',
  'callback-subscription': 'known-flight',
};

/** One request proves that the target answers and takes the key, before anything else is sent. */
const reachCost: Cost = { requests: 1, quota: 0, subscriptions: 0 };

/** Chooses what to run within the budgets, and gives the properties what is left over. */
export function makePlan<C extends Check>(input: PlanInput<C>): Plan<C> {
  const { chosen, skipped } = select(input);
  const { kept, dropped } = fit(chosen, input);
  const carriers = carriersFor(kept, input);
  const cases = casesFor([...kept, ...carriers], input);
  const planned = (check: C): PlannedCheck<C> => ({
    check,
    cases: check.kind === 'property' ? clampCases(check, cases) : 0,
    cost: check.cost(cases),
  });
  const total = totalCost([...kept, ...carriers], cases, input);
  return {
    checks: kept.map(planned),
    carriers: carriers.map(planned),
    // What had all that it needs but room comes first: of several checks of a requirement it says best why none ran.
    skipped: [...dropped, ...skipped],
    total,
    fixtures: fixturesOf([...kept, ...carriers]),
    expectedMs: expectedMs(total.requests, input),
    budgets: input.budgets,
  };
}

function select<C extends Check>(
  input: PlanInput<C>,
): { chosen: readonly C[]; skipped: readonly SkippedCheck<C>[] } {
  const chosen: C[] = [];
  const skipped: SkippedCheck<C>[] = [];
  for (const check of input.checks) {
    const skip = reasonToSkip(check, input);
    if (skip) skipped.push({ check, ...skip });
    else chosen.push(check);
  }
  return { chosen, skipped };
}

function reasonToSkip(check: Check, input: PlanInput<Check>): Omit<SkippedCheck, 'check'> | null {
  const { settings } = input;
  if (check.api !== 'shared' && !settings.apis.includes(check.api)) {
    return { cause: 'selection', reason: `the target has no ${check.api} API`, hint: 'Name it in --api.' };
  }
  if (!isSelected(check, settings.only))
    return { cause: 'selection', reason: 'not asked for by --only', hint: null };
  if (!isOfShard(check, settings.shard)) {
    return { cause: 'selection', reason: 'belongs to another shard', hint: null };
  }
  const missing = missingFor(check, input);
  return missing === undefined
    ? null
    : { cause: 'capability', reason: `needs ${missing}`, hint: input.hints?.[missing] ?? hintFor(missing) };
}

function missingFor(check: Check, { capabilities }: PlanInput<Check>): Capability | undefined {
  return check.needs.find((need) => !capabilities.has(need));
}

/** Passive checks judge what others send: where nobody else was asked for, the smoke checks make the traffic. */
function carriersFor<C extends Check>(kept: readonly C[], input: PlanInput<C>): readonly C[] {
  if (kept.length === 0 || kept.some((check) => check.kind !== 'passive')) return [];
  const able = input.checks.filter(
    (check) =>
      check.kind !== 'passive' &&
      check.tags.includes('smoke') &&
      (check.api === 'shared' || input.settings.apis.includes(check.api)) &&
      missingFor(check, input) === undefined,
  );
  return fit(able, input).kept;
}

/** Whether `--only` asks for a check: by its id, a tag, or a requirement that it verifies. */
export function isSelected(check: Check, only: readonly string[]): boolean {
  const names = [check.id, ...check.tags, ...check.verifies];
  return only.length === 0 || only.some((pattern) => names.some((name) => matches(pattern, name)));
}

/** Whether `--only` asks for a requirement: by its id, or by the id or a tag of a check that verifies it. */
export function isAskedFor(requirement: string, checks: readonly Check[], only: readonly string[]): boolean {
  const fits = (names: readonly string[]) =>
    only.some((pattern) => names.some((name) => matches(pattern, name)));
  return (
    only.length === 0 ||
    fits([requirement]) ||
    checks.some(({ id, tags, verifies }) => verifies.includes(requirement) && fits([id, ...tags]))
  );
}

/** Shards are disjoint but for the passive checks, which judge the traffic of each. */
function isOfShard(check: Check, shard: Settings['shard']): boolean {
  return shard === null || check.kind === 'passive' || hash32(check.id) % shard.total === shard.index - 1;
}

/** Takes checks in the order of what they tell for a request, as long as the budgets have room for their least form. */
function fit<C extends Check>(
  checks: readonly C[],
  input: PlanInput<C>,
): { kept: readonly C[]; dropped: readonly SkippedCheck<C>[] } {
  const kept = new Set<C>();
  const fixtures = new Set<FixtureName>();
  let spent = reachCost;
  for (const check of byWorth(checks)) {
    const added = withFixtures(check, fixtures);
    const costs = added.map((name) => fixtureCost(name, input));
    const next = sum([spent, check.cost(check.cases.minCases), ...costs]);
    if (!fits(next, input.budgets)) continue;
    kept.add(check);
    for (const name of added) fixtures.add(name);
    spent = next;
  }
  const dropped = checks
    .filter((check) => !kept.has(check))
    .map((check) => ({
      check,
      cause: 'budget' as const,
      reason: 'the budget has no room for it',
      hint: budgetHint,
    }));
  return { kept: checks.filter((check) => kept.has(check)), dropped };
}

const budgetHint = 'Raise --max-requests, --max-quota or --max-subscriptions, or choose a larger --profile.';

/** Smoke checks first, then by requirements judged for a request; passive ones cost nothing and come along. */
function byWorth<C extends Check>(checks: readonly C[]): readonly C[] {
  const worth = (check: C) => check.verifies.length / Math.max(1, check.cost(check.cases.minCases).requests);
  const rank = (check: C) => (check.kind === 'passive' ? 0 : check.tags.includes('smoke') ? 1 : 2);
  return [...checks].sort((a, b) => rank(a) - rank(b) || worth(b) - worth(a));
}

/**
 * Shares of the requests that are left free: by all checks for what no plan can know, such as an itinerary that is not
 * taken at once; by generated cases also for confirming failures, and for targets that answer late.
 */
const reserve = { always: 0.05, byCases: 0.15 };

/** As many cases as the budgets that are left allow, the same number for every property. */
function casesFor(checks: readonly Check[], input: PlanInput<Check>): number {
  let cases = input.budgets.maxCases;
  while (cases > 1 && !fits(totalCost(checks, cases, input), input.budgets, reserve.byCases)) cases -= 1;
  return cases;
}

function totalCost(checks: readonly Check[], cases: number, input: PlanInput<Check>): Cost {
  const fixtures = fixturesOf(checks).map((name) => fixtureCost(name, input));
  return sum([reachCost, ...fixtures, ...checks.map((check) => check.cost(cases))]);
}

function clampCases(check: Check, cases: number): number {
  return Math.min(check.cases.maxCases, Math.max(check.cases.minCases, cases));
}

function fixturesOf(checks: readonly Check[]): readonly FixtureName[] {
  const names = new Set<FixtureName>();
  for (const check of checks) for (const name of withFixtures(check, names)) names.add(name);
  return [...names];
}

function withFixtures(check: Check, present: ReadonlySet<FixtureName>): readonly FixtureName[] {
  const wanted = check.uses.flatMap((name) => [builtOn[name] ?? name, name]);
  return [...new Set(wanted)].filter((name) => !present.has(name));
}

function fits(cost: Cost, budgets: FullBudgets, free = reserve.always): boolean {
  return (
    cost.requests <= budgets.maxRequests - Math.floor(budgets.maxRequests * free) &&
    cost.quota <= budgets.maxQuota &&
    cost.subscriptions <= budgets.maxSubscriptions
  );
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, cost) => ({
      requests: total.requests + cost.requests,
      quota: total.quota + cost.quota,
      subscriptions: total.subscriptions + cost.subscriptions,
    }),
    { requests: 0, quota: 0, subscriptions: 0 },
  );
}

/** The first requests of a window go out at once; the rest waits for the windows to pass, first hours, then minutes. */
function expectedMs(requests: number, { settings, keys }: PlanInput<Check>): number {
  const { perMinute, perHour } = settings.limits;
  const perKey = Math.ceil(requests / Math.max(1, keys));
  const hours = Math.max(0, Math.ceil(perKey / perHour) - 1);
  const rest = perKey - hours * perHour;
  const minutes = Math.max(0, Math.ceil(rest / perMinute) - 1);
  return hours * 3_600_000 + minutes * 60_000;
}
