import { usageError } from '../../core/errors.ts';
import { pacedLimits, type Settings } from '../../core/settings.ts';
import { journeyParts, type ChosenJourney, journeyCosts } from '../journeys/journeyPlan.ts';
import type { LoadOptions } from './loadOptions.ts';
import { isBeyond, refuseForeignHost, refuseSearch } from './loadOwnership.ts';
import { defaultMixFor, isWrite } from './mix.ts';
import { rateWithinLimits, type LoadPlan } from './plan.ts';
import { durationOf, peakOf, expectedCount } from './shape.ts';
import { operations } from '../../core/operations.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { slicesOf, operationCounts } from './arrivals.ts';
import type { Threshold } from '../summary/thresholds.ts';

/** More requests than this are sent only if the user gives a number. */
const mostRequests = 1_000_000;

/** Where a search for the capacity begins, in requests per second. */
const searchFrom = 10;

/** Determines what a load sends, from what was requested and what is allowed. Throws a usage error that says what is. */
export function planLoad(options: LoadOptions, settings: Settings, keyCount: number): LoadPlan {
  const keys = keysFor(options, keyCount);
  refuseForeignHost(options, settings);
  const shape = shapeOf(options, settings);
  const { durationMs } = shape;
  const most = rateWithinLimits(pacedLimits(settings), keys, durationMs);
  const wanted = shape.peak ?? options.ratePerSecond;
  const beyond =
    options.capacity !== null
      ? refuseSearch(options, settings)
      : isBeyond({ ...options, ratePerSecond: wanted }, settings, most);
  const plan: LoadPlan = {
    seed: settings.seed,
    ratePerSecond: wanted ?? (options.capacity === null ? most : searchFrom),
    arrivals: options.arrivals,
    durationMs,
    maxRequests: settings.budgets.maxRequests ?? mostRequests,
    mix: options.mix ?? (options.journeys.length > 0 ? [] : defaultMixFor(settings.apis)),
    withinLimits: !beyond,
    ...shape.parts,
    ...journeyParts(options, settings),
    ...(options.warmUpMs > 0 ? { warmUpMs: options.warmUpMs } : {}),
    ...(hasTwins(options) ? { twins: true } : {}),
  };
  refuseCourses(options);
  refuseTooMany(plan, settings);
  refuseNothing(plan);
  refuseMix(plan, settings);
  refuseThresholds(options, plan);
  // How much a saturation sends is not known in advance, so it may not write at all.
  if (!options.saturate) refuseCosts(plan, settings, { keys, journeys: options.journeys });
  return plan;
}

/** Whether two workers send some bookings at once: in one process, a journey does that. */
function hasTwins({ workers, mix }: LoadOptions): boolean {
  return (workers?.count ?? 1) > 1 && (mix ?? []).some(({ operation }) => operation === 'wci.subscribe');
}

/** The requested course: its duration, its highest rate, and its part of the plan. */
function shapeOf({ stages, durationMs, warmUpMs, capacity, trialMs }: LoadOptions, { budgets }: Settings) {
  const longest = budgets.maxDurationMs ?? Number.POSITIVE_INFINITY;
  const main = stages.find(({ journey }) => journey === null)?.stages;
  const own = stages.flatMap(({ journey, stages: of }) =>
    journey === null ? [] : [{ journey, stages: of }],
  );
  const lengths = stages.map((one) => durationOf(one.stages));
  const plain = capacity === null ? durationMs : trialMs;
  const whole = Math.min(longest, stages.length === 0 ? plain : Math.max(...lengths));
  if (warmUpMs >= whole)
    throw usageError(
      'WARM_UP',
      `--warm-up: expected less than the load's ${whole / 1000} s; got ${warmUpMs / 1000} s.`,
    );
  const peak = stages.length === 0 ? null : stages.reduce((sum, one) => sum + peakOf(one.stages), 0);
  const parts = { ...(main ? { stages: main } : {}), ...(own.length > 0 ? { ownShapes: own } : {}) };
  return { durationMs: whole, peak, parts };
}

export function keysFor({ keys }: Pick<LoadOptions, 'keys'>, keyCount: number): number {
  if (keys === null || keys <= keyCount) return keys ?? keyCount;
  throw usageError(
    'LOAD_KEYS',
    `--keys: expected at most ${keyCount}, since there are no more primary keys; got ${keys}.`,
    'Name more keys in GATECHECK_KEYS_PRIMARY, or fewer with --keys.',
  );
}

/** A course that nothing takes, two for the same, and what has none: each would be left out, or guessed, unseen. */
function refuseCourses({ stages, journeys, mix }: LoadOptions): void {
  if (stages.length === 0) return;
  const names = stages.map(({ journey }) => journey);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const [rest] = journeys.filter(({ journey }) => !names.includes(journey.id));
  const others = mix !== null || journeys.length === 0 ? '--mix' : rest?.journey.id;
  const hasMain = names.includes(null);
  const wrong =
    twice !== undefined
      ? [`one course for ${twice ?? 'all that has none of its own'}; got several`, 'Join them by commas.']
      : hasMain && others === undefined
        ? [
            'something to send by the course without a journey; got only journeys with a course of their own',
            'Add --mix or a further journey, or leave that course out.',
          ]
        : !hasMain && others !== undefined
          ? [`a course for ${others}; got only those of other journeys`, 'Add --stages without a journey.']
          : null;
  if (wrong !== null)
    throw usageError('LOAD_STAGES', `--stages: expected ${wrong[0] ?? ''}. Nothing was sent.`, wrong[1]);
}

/** A bound on an operation that is never sent would only fail at the end. */
function refuseThresholds({ thresholds, capacity, journeys }: LoadOptions, { mix }: LoadPlan): void {
  // Which operations a journey sends, only the journey knows.
  if (journeys.length > 0) return;
  const sent = mix.map(({ operation }) => operation);
  const isUnsent = ({ scope }: Threshold) =>
    scope !== null && scope in operations && !sent.some((operation) => operation === scope);
  const unsent = [...thresholds, ...(capacity ?? [])].find(isUnsent);
  if (unsent === undefined) return;
  const flag = thresholds.includes(unsent) ? '--threshold' : '--find-capacity';
  throw usageError(
    'THRESHOLD',
    `${flag}: expected a bound on what is sent (${sent.join(', ')}); got ${unsent.text}. Nothing was sent.`,
    `Add ${String(unsent.scope)} to --mix.`,
  );
}

function refuseTooMany(plan: LoadPlan, { budgets }: Settings): void {
  const expected = expectedCount(plan);
  if (budgets.maxRequests !== null || expected <= plan.maxRequests) return;
  throw usageError(
    'TOO_MANY_REQUESTS',
    `--rate, --duration: expected at most ${plan.maxRequests} requests; got about ${Math.round(expected)}.`,
    `Say --max-requests ${Math.ceil(expected)} if you mean that many, or lower the rate or the duration.`,
  );
}

/** So few that by chance none may be due. */
const few = 20;

function refuseNothing(plan: LoadPlan): void {
  if (expectedCount(plan) >= few || slicesOf(plan).length > 0) return;
  throw usageError(
    'NO_REQUESTS',
    `--rate, --duration, --stages: expected a load that sends something; got none at all within ${plan.durationMs / 1000} s.`,
    'Raise the rate or the duration.',
  );
}

/** Refuses operations that the target lacks, and writes for which nothing was granted. */
function refuseMix(plan: LoadPlan, settings: Settings): void {
  const foreign = plan.mix.find(({ operation }) => !settings.apis.includes(operations[operation].api));
  if (foreign) {
    throw usageError(
      'LOAD_MIX',
      `--mix: expected operations of ${settings.apis.join(', ')}; got ${foreign.operation}.`,
    );
  }
  const writes = plan.mix.filter(({ operation }) => isWrite(operation));
  if (writes.length === 0) return;
  if (settings.readOnly) {
    throw usageError(
      'LOAD_MIX',
      `--mix: expected reads only, because of --read-only; got ${writes[0]?.operation ?? ''}.`,
    );
  }
}

function refuseCosts(
  plan: LoadPlan,
  settings: Settings,
  { keys, journeys }: { readonly keys: number; readonly journeys: readonly ChosenJourney[] },
): void {
  const { maxQuota, maxSubscriptions } = budgetsOf(settings);
  const { quota, subscriptions } = loadCosts(plan, { keys, journeys });
  const missing = [
    [quota > maxQuota, `--max-quota: expected ${quota}, which the mix may spend; got ${maxQuota}`],
    [
      subscriptions > maxSubscriptions,
      `--max-subscriptions: expected ${subscriptions}, which the mix may leave behind; got ${maxSubscriptions}`,
    ],
  ] as const;
  const told = missing.filter(([applies]) => applies).map(([, fault]) => fault);
  if (told.length > 0)
    throw usageError(
      'LOAD_BUDGET',
      told.join('\n'),
      'Grant it, make the load smaller, or leave writes out of the mix.',
    );
}

interface LoadCosts {
  readonly quota: number;
  readonly subscriptions: number;
  /** Those of journeys. */
  readonly journeyRequests: number;
}

/** The most that a load spends and leaves behind, with what it needs beforehand. */
export function loadCosts(
  plan: LoadPlan,
  { keys, journeys }: { readonly keys: number; readonly journeys: readonly ChosenJourney[] },
): LoadCosts {
  // Only writes cost: the schedule of reads, which may be long, need not be gone through.
  const isReading = journeys.length === 0 && !plan.mix.some(({ operation }) => isWrite(operation));
  if (isReading) return { quota: 0, subscriptions: 0, journeyRequests: 0 };
  const counts = operationCounts(plan);
  const costs = journeyCosts(plan, journeys);
  // One more is for finding an accepted booking, which is also the record to update.
  const needsRecord = counts.has('wci.subscribe') || counts.has('wci.update') || costs.quota > 0;
  // Of one leg, which may belong to the key that asked for it; and of a leg for each partner that has one of its own.
  const ofOneLeg = (counts.get('fla.subscribe') ?? 0) + costs.subscriptions - costs.ownLegs;
  return {
    quota: (counts.get('wci.subscribe') ?? 0) + costs.quota + (needsRecord ? 1 : 0),
    subscriptions: Math.min(ofOneLeg, keys) + costs.ownLegs,
    journeyRequests: costs.requests,
  };
}
