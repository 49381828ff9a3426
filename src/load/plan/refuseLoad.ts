import { usageError } from '../../core/errors.ts';
import { operations } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import { budgetsOf } from '../../plan/budgets.ts';
import { slicesOf } from './arrivals.ts';
import type { ChosenJourney } from '../journeys/journeyPlan.ts';
import { loadCosts } from './loadCosts.ts';
import { isWrite } from './mix.ts';
import type { LoadPlan } from './plan.ts';
import { expectedCount } from './shape.ts';
import type { Threshold } from '../summary/thresholds.ts';
import type { LoadOptions } from './loadOptions.ts';

/** A course that nothing takes, two for the same, and what has none: each would be left out, or guessed, unseen. */
export function refuseCourses({ stages, journeys, mix }: LoadOptions): void {
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
export function refuseThresholds({ thresholds, capacity, journeys }: LoadOptions, { mix }: LoadPlan): void {
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

export function refuseTooMany(plan: LoadPlan, { budgets }: Settings): void {
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

export function refuseNothing(plan: LoadPlan): void {
  if (expectedCount(plan) >= few || slicesOf(plan).length > 0) return;
  throw usageError(
    'NO_REQUESTS',
    `--rate, --duration, --stages: expected a load that sends something; got none at all within ${plan.durationMs / 1000} s.`,
    'Raise the rate or the duration.',
  );
}

/** Refuses operations that the target lacks, and writes for which nothing was granted. */
export function refuseMix(plan: LoadPlan, settings: Settings): void {
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

export function refuseCosts(
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
