import { usageError } from '../../core/errors.ts';
import { pacedLimits, type Settings } from '../../core/settings.ts';
import { journeyParts } from '../journeys/journeyPlan.ts';
import type { LoadOptions } from './loadOptions.ts';
import { isBeyond, refuseForeignHost, refuseSearch } from './loadOwnership.ts';
import { defaultMixFor } from './mix.ts';
import { rateWithinLimits, type LoadPlan } from './plan.ts';
import {
  refuseCosts,
  refuseCourses,
  refuseMix,
  refuseNothing,
  refuseThresholds,
  refuseTooMany,
} from './refuseLoad.ts';
import { durationOf, peakOf } from './shape.ts';

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
