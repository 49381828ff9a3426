import { operationCounts } from './arrivals.ts';
import { journeyCosts, type ChosenJourney } from '../journeys/journeyPlan.ts';
import { isWrite } from './mix.ts';
import type { LoadPlan } from './plan.ts';

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
