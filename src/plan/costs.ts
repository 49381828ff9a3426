import type { Check, Cost, FixtureName } from './check.ts';
import { familiarFlights } from './familiarFlights.ts';
import type { PlanInput } from './plan.ts';

/** Cost of each shared fixture, once a run. */
const fixtureCosts: Readonly<Record<FixtureName, Cost>> = {
  'complete-record': { requests: 1, quota: 1, subscriptions: 0 },
  // The complete record, unless that was made by an earlier run.
  'fresh-record': { requests: 0, quota: 0, subscriptions: 0 },
  'incomplete-record': { requests: 1, quota: 1, subscriptions: 0 },
  'workbench-record': { requests: 1, quota: 1, subscriptions: 0 },
  'other-record': { requests: 1, quota: 1, subscriptions: 0 },
  'domestic-record': { requests: 1, quota: 1, subscriptions: 0 },
  'two-leg-record': { requests: 1, quota: 1, subscriptions: 0 },
  'date-line-record': { requests: 1, quota: 1, subscriptions: 0 },
  // The record across the date line; if there is none, its request and unit are spent on another record.
  'scratch-record': { requests: 0, quota: 0, subscriptions: 0 },
  'known-flight': { requests: 1, quota: 0, subscriptions: 0 },
  'polling-subscription': { requests: 1, quota: 0, subscriptions: 1 },
  'callback-subscription': { requests: 2, quota: 0, subscriptions: 1 },
};

/** A record of an earlier run is only read. */
const onlyRead: Cost = { requests: 1, quota: 0, subscriptions: 0 };
const oneRecord: Cost = { requests: 1, quota: 1, subscriptions: 0 };

/** Cost of a fixture in this run: if no flight is configured and no state handler makes one, one has to be searched for. */
export function fixtureCost(name: FixtureName, input: PlanInput<Check>): Cost {
  const { settings, capabilities, booked } = input;
  if (booked?.has(name) === true) return onlyRead;
  if (name === 'fresh-record' && booked?.has('complete-record') === true) return oneRecord;
  const cost = fixtureCosts[name];
  const isNamed = settings.flights.length > 0 || capabilities.has('state:flights.put');
  return name === 'known-flight' && !isNamed ? { ...cost, requests: familiarFlights.length } : cost;
}

/** Fixtures that are built on others: their cost is added. */
const builtOn: Readonly<Partial<Record<FixtureName, FixtureName>>> = {
  'fresh-record': 'complete-record',
  'incomplete-record': 'complete-record',
  'workbench-record': 'complete-record',
  'other-record': 'complete-record',
  'scratch-record': 'date-line-record',
  'polling-subscription': 'known-flight',
  'callback-subscription': 'known-flight',
};

/** One request proves that the target answers and accepts the key, before anything else is sent. */
export const reachCost: Cost = { requests: 1, quota: 0, subscriptions: 0 };

/** The total cost with this many cases for each. */
export function totalCost(checks: readonly Check[], cases: number, input: PlanInput<Check>): Cost {
  return withFixtureCosts(
    checks.map((check) => check.cost(cases)),
    checks,
    input,
  );
}

/** Total cost of checks, including their fixtures and the first request to the target. */
export function withFixtureCosts(
  costs: readonly Cost[],
  checks: readonly Check[],
  input: PlanInput<Check>,
): Cost {
  const fixtures = fixturesOf(checks).map((name) => fixtureCost(name, input));
  return sum([reachCost, ...fixtures, ...costs]);
}

/** All fixtures that they use. */
export function fixturesOf(checks: readonly Check[]): readonly FixtureName[] {
  const names = new Set<FixtureName>();
  for (const check of checks) for (const name of withFixtures(check, names)) names.add(name);
  return [...names];
}

/** The fixtures that a check uses and that do not exist yet. */
export function withFixtures(check: Check, present: ReadonlySet<FixtureName>): readonly FixtureName[] {
  const wanted = check.uses.flatMap((name) => [builtOn[name] ?? name, name]);
  return [...new Set(wanted)].filter((name) => !present.has(name));
}

export function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, cost) => ({
      requests: total.requests + cost.requests,
      quota: total.quota + cost.quota,
      subscriptions: total.subscriptions + cost.subscriptions,
    }),
    { requests: 0, quota: 0, subscriptions: 0 },
  );
}
