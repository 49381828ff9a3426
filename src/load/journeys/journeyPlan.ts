import { usageError } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { journeyCounts } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { Journey } from './journey.ts';

/** A journey that runs, and how often relative to the others. */
export interface ChosenJourney {
  readonly journey: Journey;
  readonly weight: number;
}

interface JourneyWishes {
  readonly journeys: readonly ChosenJourney[];
  readonly stages: readonly { readonly journey: string | null }[];
}

/** The parts of a plan for journeys; refuses those for which the target lacks something. */
export function journeyParts(
  { journeys, stages }: JourneyWishes,
  { apis, readOnly }: Pick<Settings, 'apis' | 'readOnly'>,
): Partial<LoadPlan> {
  const ids = new Set(journeys.map(({ journey }) => journey.id));
  const stray = stages.find(({ journey }) => journey !== null && !ids.has(journey));
  if (stray)
    throw usageError(
      'LOAD_STAGES',
      `--stages: expected a journey that --journeys names; got ${stray.journey ?? ''}.`,
    );
  for (const { journey } of journeys) {
    const foreign = journey.apis.find((api) => !apis.includes(api));
    if (foreign)
      throw usageError(
        'LOAD_JOURNEYS',
        `--journeys: ${journey.id} needs ${foreign}, which the target lacks.`,
      );
    if (readOnly && journey.needs.includes('writes'))
      throw usageError(
        'LOAD_JOURNEYS',
        `--journeys: expected reads only, because of --read-only; got ${journey.id}.`,
      );
  }
  return journeys.length === 0
    ? {}
    : { journeys: journeys.map(({ journey, weight }) => ({ journey: journey.id, weight })) };
}

/** What the journeys of a plan cost, including the single run of each beforehand. */
export function journeyCosts(plan: LoadPlan, journeys: readonly ChosenJourney[]) {
  const counts = journeys.length === 0 ? new Map<string, number>() : journeyCounts(plan);
  const sum = (cost: 'requests' | 'quota' | 'subscriptions', of = journeys) =>
    of.reduce((all, { journey }) => all + ((counts.get(journey.id) ?? 0) + 1) * (journey.cost[cost] ?? 0), 0);
  const withLegs = journeys.filter(({ journey }) => journey.needs.includes('flight-changes'));
  return {
    requests: sum('requests'),
    quota: sum('quota'),
    subscriptions: sum('subscriptions'),
    /** Those of legs that no other partner subscribes to. */
    ownLegs: sum('subscriptions', withLegs),
  };
}
