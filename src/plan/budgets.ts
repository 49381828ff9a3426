import { isLoopback } from '../core/loopback.ts';
import type { Profile, Settings } from '../core/settings.ts';

/** Budgets with every number set. */
export interface FullBudgets {
  readonly maxRequests: number;
  readonly maxQuota: number;
  readonly maxSubscriptions: number;
  /** Milliseconds; infinite where the user set none. */
  readonly maxDurationMs: number;
  /** Generated cases that one property gets at most. */
  readonly maxCases: number;
}

/** Whose deployment it is decides how freely it may be used. */
export type Ownership = 'embedded' | 'disposable' | 'foreign';

const defaults: Readonly<Record<Profile, Readonly<Record<Ownership, FullBudgets>>>> = {
  smoke: {
    embedded: budgets(60, 20, 10, 1),
    disposable: budgets(60, 20, 10, 1),
    foreign: budgets(60, 0, 0, 1),
  },
  standard: {
    embedded: budgets(6000, 2000, 500, 20),
    disposable: budgets(1000, 60, 40, 3),
    foreign: budgets(1000, 0, 0, 3),
  },
  full: {
    embedded: budgets(20_000, 8000, 2000, 100),
    disposable: budgets(4000, 300, 100, 10),
    foreign: budgets(4000, 0, 0, 10),
  },
};

function budgets(
  maxRequests: number,
  maxQuota: number,
  maxSubscriptions: number,
  maxCases: number,
): FullBudgets {
  return { maxRequests, maxQuota, maxSubscriptions, maxCases, maxDurationMs: Number.POSITIVE_INFINITY };
}

/** The budgets of a run: those that the user set, and the profile's for the rest. */
export function budgetsOf(settings: Settings): FullBudgets {
  const own = settings.budgets;
  const base = baseOf(settings);
  return {
    maxRequests: own.maxRequests ?? base.maxRequests,
    maxQuota: own.maxQuota ?? base.maxQuota,
    maxSubscriptions: own.maxSubscriptions ?? base.maxSubscriptions,
    maxDurationMs: own.maxDurationMs ?? base.maxDurationMs,
    maxCases: base.maxCases,
  };
}

/** As many keys as make the embedded budget a matter of minutes. */
const manyKeys = 8;

/** A container that was started for the run costs nobody anything: only the pace of its keys is a reason to spare. */
function baseOf(settings: Settings): FullBudgets {
  const own = defaults[settings.profile];
  if (settings.target.kind !== 'image') return own[ownershipOf(settings)];
  if (settings.keys.primary.length >= manyKeys) return own.embedded;
  const { maxQuota, maxSubscriptions } = own.embedded;
  return { ...own.disposable, maxQuota, maxSubscriptions };
}

/** Embedded; an image or loopback, which nobody else relies on; or somebody's deployment, where quota is paid for. */
export function ownershipOf(settings: Settings): Ownership {
  const { target } = settings;
  if (target.kind === 'embedded') return 'embedded';
  if (target.kind === 'image') return 'disposable';
  return Object.values(target.baseUrls).every(isLoopback) ? 'disposable' : 'foreign';
}
