import { isLoopback } from '../core/loopback.ts';
import type { Profile, Settings } from '../core/settings.ts';

/** Budgets with every number set. */
export interface FullBudgets {
  readonly maxRequests: number;
  readonly maxQuota: number;
  readonly maxSubscriptions: number;
  /** Milliseconds; infinite if the user set none. */
  readonly maxDurationMs: number;
  /** Most generated cases for one property. */
  readonly maxCases: number;
  /** The same if every request waits for the pace of a few keys. */
  readonly maxCasesAtPace: number;
}

/** How freely a deployment may be used depends on whose it is. */
type Ownership = 'embedded' | 'disposable' | 'foreign';

type Numbers = Omit<FullBudgets, 'maxDurationMs'>;

/** For a deployment of the user's own, where only time matters. */
const ample: Readonly<Record<Profile, Numbers>> = {
  smoke: { maxRequests: 60, maxQuota: 20, maxSubscriptions: 10, maxCases: 1, maxCasesAtPace: 1 },
  standard: { maxRequests: 6000, maxQuota: 2000, maxSubscriptions: 500, maxCases: 20, maxCasesAtPace: 3 },
  full: { maxRequests: 20_000, maxQuota: 8000, maxSubscriptions: 2000, maxCases: 100, maxCasesAtPace: 10 },
};

/** How many hours the keys of a run may be kept busy if no budget is given. */
const hours: Readonly<Record<Profile, number>> = { smoke: 1, standard: 1, full: 4 };

/** The budgets of a run: what the user set, and the profile's defaults for the rest. */
export function budgetsOf(settings: Settings): FullBudgets {
  const own = settings.budgets;
  const base = baseOf(settings);
  return {
    maxRequests: own.maxRequests ?? base.maxRequests,
    maxQuota: own.maxQuota ?? base.maxQuota,
    maxSubscriptions: own.maxSubscriptions ?? base.maxSubscriptions,
    maxDurationMs: own.maxDurationMs ?? Number.POSITIVE_INFINITY,
    maxCases: base.maxCases,
    maxCasesAtPace: base.maxCasesAtPace,
  };
}

/** With this many keys, the ample budget takes only minutes. */
export const manyKeys = 8;

/** A deployment of the user's own costs nothing: only the pace of its keys is a reason to save requests. */
function baseOf(settings: Settings): Numbers {
  const { profile, keys, limits } = settings;
  const most = ample[profile];
  const byKeys = (count: number) => Math.min(most.maxRequests, count * limits.perHour * hours[profile]);
  const ownership = ownershipOf(settings);
  if (ownership === 'foreign')
    return {
      ...most,
      maxRequests: byKeys(1),
      maxQuota: 0,
      maxSubscriptions: 0,
      maxCases: most.maxCasesAtPace,
    };
  const isAmple = ownership === 'embedded' || hasStateHandler(settings) || keys.primary.length >= manyKeys;
  return isAmple ? most : { ...most, maxRequests: byKeys(Math.max(1, keys.primary.length)) };
}

function hasStateHandler({ stateHandler, target }: Settings): boolean {
  return stateHandler !== null || (target.kind === 'image' && target.container.stateHandler !== null);
}

/** Embedded; an image or loopback, which no one else relies on; or a remote deployment, whose quota costs money. */
export function ownershipOf(settings: Settings): Ownership {
  const { target } = settings;
  if (target.kind === 'embedded') return 'embedded';
  if (target.kind === 'image') return 'disposable';
  return Object.values(target.baseUrls).every(isLoopback) ? 'disposable' : 'foreign';
}
