import { matches } from '../catalogue/pattern.ts';
import { hash32 } from '../core/random.ts';
import { pacedLimits, type Settings } from '../core/settings.ts';
import { manyKeys } from './budgets.ts';
import { hintFor, makesKeys, makesRoom } from './capabilities.ts';
import type { Capability, Check, Cost } from './check.ts';
import { fixturesOf, withFixtureCosts, sum, totalCost } from './costs.ts';
import { fit } from './fit.ts';
import type { Plan, PlanInput, PlannedCheck, SkippedCheck } from './plan.ts';
import { plannableOf, within } from './room.ts';

/**
 * Chooses what to run within the budgets, and gives the properties what is left over. Records of earlier runs are used only if
 * the quota is not enough without them: a new record shows more.
 */
export function makePlan<C extends Check>(input: PlanInput<C>): Plan<C> {
  const hasBook = (input.booked?.size ?? 0) > 0;
  // Rounds that share the checks also share the records.
  if (input.rotation !== undefined) return { ...planFor(input), usesBook: hasBook };
  const anew = planFor({ ...input, booked: new Set() });
  const isShort = anew.skipped.some(
    ({ cause, hint }) => cause === 'budget' && hint?.includes('--max-quota') === true,
  );
  return isShort && hasBook ? { ...planFor(input), usesBook: true } : anew;
}

function planFor<C extends Check>(input: PlanInput<C>): Plan<C> {
  const { chosen, skipped } = select(input);
  const { kept, dropped, further, fitting } = fit(chosen, input);
  const carriers = carriersFor(kept, input);
  const most = mostCases(input);
  const cases = casesFor([...kept, ...carriers], input, most);
  const full = cases === 1 && most > 1 ? runInFull([...kept, ...carriers], input) : null;
  const planned = (check: C): PlannedCheck<C> => {
    const own = clampCases(check, full?.has(check) === true ? 2 : cases, mostRequests(input));
    return { check, cases: check.kind === 'property' ? own : 0, cost: check.cost(own) };
  };
  const costs = [...kept, ...carriers].map((check) => planned(check).cost);
  const total = withFixtureCosts(costs, [...kept, ...carriers], input);
  return {
    checks: kept.map(planned),
    carriers: carriers.map(planned),
    // Checks that only lack budget come first: of several checks of a requirement, they say best why none ran.
    skipped: [...dropped, ...skipped],
    further,
    total,
    fixtures: fixturesOf([...kept, ...carriers]),
    usesBook: false,
    expectedMs: expectedMs(total.requests, input),
    keys: input.keys,
    budgets: input.budgets,
    ...(fitting === undefined ? {} : { fitting }),
  };
}

function select<C extends Check>(
  input: PlanInput<C>,
): { chosen: readonly C[]; skipped: readonly SkippedCheck<C>[] } {
  const chosen: C[] = [];
  const skipped: SkippedCheck<C>[] = [];
  const isJudge = judgesOf(input.checks, input.settings.only);
  for (const check of input.checks) {
    const skip = reasonToSkip(check, input, isJudge(check));
    if (skip) skipped.push({ check, ...skip });
    else chosen.push(check);
  }
  return { chosen, skipped };
}

/** Whether a passive check judges what the selected ones bring about. */
function judgesOf(checks: readonly Check[], only: readonly string[]): (check: Check) => boolean {
  const selected = checks.filter((check) => check.kind !== 'passive' && isSelected(check, only));
  const rows = new Set(selected.flatMap(({ verifies }) => verifies));
  return ({ kind, verifies }) => kind === 'passive' && verifies.some((row) => rows.has(row));
}

function reasonToSkip(
  check: Check,
  input: PlanInput<Check>,
  isJudge: boolean,
): Omit<SkippedCheck, 'check'> | null {
  const { settings } = input;
  if (check.api !== 'shared' && !settings.apis.includes(check.api)) {
    return { cause: 'selection', reason: `the target has no ${check.api} API`, hint: 'Name it in --api.' };
  }
  if (!isSelected(check, settings.only) && !isJudge)
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

/** Passive checks judge the traffic of others: if no other check was selected, the smoke checks make traffic for them. */
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
  const asks = (names: readonly string[]) =>
    only.some((pattern) => names.some((name) => matches(pattern, name)));
  return (
    only.length === 0 ||
    asks([requirement]) ||
    checks.some(({ id, tags, verifies }) => verifies.includes(requirement) && asks([id, ...tags]))
  );
}

/** Shards are disjoint except for the passive checks, which judge the traffic of each. */
function isOfShard(check: Check, shard: Settings['shard']): boolean {
  return shard === null || check.kind === 'passive' || hash32(check.id) % shard.total === shard.index - 1;
}

function clampCases({ cases: range, cost }: Check, wanted: number, mostRequests: number): number {
  let cases = Math.min(range.maxCases, Math.max(range.minCases, wanted));
  while (cases > range.minCases && cost(cases).requests > mostRequests) cases -= 1;
  return cases;
}

/** If the limits are only reset between checks, a check must fit into an empty window. */
function mostRequests({ capabilities, keys, settings }: PlanInput<Check>): number {
  if (!makesRoom(capabilities) || makesKeys(capabilities)) return Number.POSITIVE_INFINITY;
  return Math.floor(keys * pacedLimits(settings).perMinute * 0.8);
}

/** If every request waits for the pace of a few keys, fewer cases must do. */
function mostCases({ budgets, capabilities, keys }: PlanInput<Check>): number {
  return makesRoom(capabilities) || keys >= manyKeys ? budgets.maxCases : budgets.maxCasesAtPace;
}

/** The first requests of a window are sent at once; the rest waits for the windows to pass, first hours, then minutes. */
export function expectedMs(
  requests: number,
  { settings, keys, capabilities }: Pick<PlanInput<Check>, 'settings' | 'keys' | 'capabilities'>,
): number {
  if (makesRoom(capabilities)) return 0;
  const { perMinute, perHour } = pacedLimits(settings);
  const perKey = Math.ceil(requests / Math.max(1, keys));
  const hours = Math.max(0, Math.ceil(perKey / perHour) - 1);
  const rest = perKey - hours * perHour;
  const minutes = Math.max(0, Math.ceil(rest / perMinute) - 1);
  return hours * 3_600_000 + minutes * 60_000;
}

/** As many cases as the remaining budgets allow, the same number for every property. */
function casesFor(checks: readonly Check[], input: PlanInput<Check>, most: number): number {
  let cases = most;
  const room = plannableOf(input.budgets, input.rotation);
  while (cases > 1 && !within(totalCost(checks, cases, input), room)) cases -= 1;
  return cases;
}

/**
 * The checks that are run in full although the budgets make the run a sparing one: those that take least more, as long as there
 * is room. Rounds save up what they do not spend, and generated cases alone say less than rows do.
 */
function runInFull<C extends Check>(checks: readonly C[], input: PlanInput<C>): ReadonlySet<C> {
  const full = new Set<C>();
  // More than that would use up the hour of an enterprise where its keys share one, before the check of it comes.
  if (input.rotation !== undefined || input.budgets.maxRequests > input.settings.limits.perHour) return full;
  const room = plannableOf(input.budgets, input.rotation);
  let spent = totalCost(checks, 1, input);
  for (const check of [...checks].filter(hasTwoForms).sort((a, b) => further(a) - further(b))) {
    const next = sum([spent, furtherCost(check)]);
    if (!within(next, room)) continue;
    spent = next;
    full.add(check);
  }
  return full;
}

/** Whether the sparing form leaves out more than generated cases. */
function hasTwoForms({ kind, rows, cases }: Check): boolean {
  return kind === 'property' && cases.minCases === 1 && (rows !== null || cases.maxCases === 2);
}

function further(check: Check): number {
  return furtherCost(check).requests;
}

function furtherCost({ cost }: Check): Cost {
  const [least, full] = [cost(1), cost(2)];
  return {
    requests: full.requests - least.requests,
    quota: full.quota - least.quota,
    subscriptions: full.subscriptions - least.subscriptions,
  };
}
