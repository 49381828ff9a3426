import { usageError } from '../core/errors.ts';
import { operations } from '../core/operations.ts';
import type { Settings } from '../core/settings.ts';
import { budgetsOf, ownershipOf } from '../plan/budgets.ts';
import { operationCounts } from './arrivals.ts';
import { defaultMixFor, isWrite } from './mix.ts';
import { rateWithinLimits, type ArrivalKind, type LoadPlan, type MixEntry } from './plan.ts';
import type { Threshold } from './thresholds.ts';

/** What the user asked for, before it is known which keys there are; null where nothing was said. */
export interface LoadOptions {
  readonly ratePerSecond: number | null;
  readonly durationMs: number;
  readonly keys: number | null;
  readonly withinLimits: boolean;
  readonly arrivals: ArrivalKind;
  readonly mix: readonly MixEntry[] | null;
  readonly thresholds: readonly Threshold[];
  readonly saturate: boolean;
  readonly connections: number;
  readonly maxInFlight: number;
  /** Host that the user says to own. */
  readonly ownedHost: string | null;
  readonly workers: WorkerOptions | null;
}

export interface WorkerOptions {
  readonly count: number;
  readonly redisUrl: string;
}

/** More requests than this are sent only when the user names a number. */
const mostRequests = 1_000_000;

/** Settles what a load is to send, from what was asked for and what is allowed. Throws a usage error that says what is. */
export function planLoad(options: LoadOptions, settings: Settings, keyCount: number): LoadPlan {
  const keys = keysFor(options, keyCount);
  refuseForeignHost(options, settings);
  const durationMs = Math.min(options.durationMs, settings.budgets.maxDurationMs ?? options.durationMs);
  const most = rateWithinLimits(settings.limits, keys, durationMs);
  const beyond = isBeyond(options, settings, most);
  const plan: LoadPlan = {
    seed: settings.seed,
    ratePerSecond: options.ratePerSecond ?? most,
    arrivals: options.arrivals,
    durationMs,
    maxRequests: settings.budgets.maxRequests ?? mostRequests,
    mix: options.mix ?? defaultMixFor(settings.apis),
    withinLimits: !beyond,
  };
  refuseTooMany(plan, settings);
  refuseMix(plan, settings, keys);
  return plan;
}

export function keysFor({ keys }: Pick<LoadOptions, 'keys'>, keyCount: number): number {
  if (keys === null || keys <= keyCount) return keys ?? keyCount;
  throw usageError(
    'LOAD_KEYS',
    `--keys: expected at most ${keyCount}, since there are no more primary keys; got ${keys}.`,
    'Name more keys in GATECHECK_KEYS_PRIMARY, or fewer with --keys.',
  );
}

/** Whether somebody's deployment may be loaded beyond its documented limits: only by who says to own that very host. */
function isOwned({ ownedHost }: Pick<LoadOptions, 'ownedHost'>, settings: Settings): boolean {
  return ownershipOf(settings) !== 'foreign' || hostsOf(settings).every((host) => host === ownedHost);
}

function refuseForeignHost(options: LoadOptions, settings: Settings): void {
  const { ownedHost, saturate } = options;
  const hosts = hostsOf(settings);
  if (ownedHost !== null && hosts.length > 0 && !hosts.includes(ownedHost)) {
    throw usageError(
      'NOT_OWNED',
      `--i-own-this-target: expected the host of the target, ${hosts.join(' or ')}; got ${ownedHost}. Nothing was sent.`,
    );
  }
  if (saturate && !isOwned(options, settings)) throw notOwned(settings, '--saturate goes beyond any limit');
}

function isBeyond(options: LoadOptions, settings: Settings, most: number): boolean {
  const { ratePerSecond, withinLimits } = options;
  if (ratePerSecond === null) return false;
  if (ratePerSecond <= most) return !withinLimits && isOwned(options, settings);
  if (withinLimits) {
    throw usageError(
      'BEYOND_LIMITS',
      `--rate: expected at most ${most.toFixed(2)}/s, which is what the keys allow within the limits; got ${ratePerSecond}/s.`,
      'Leave out --rate to take the most that is allowed, use more keys, or leave out --within-limits.',
    );
  }
  if (!isOwned(options, settings))
    throw notOwned(settings, `${ratePerSecond}/s is more than the ${most.toFixed(2)}/s that the keys allow`);
  return true;
}

function notOwned(settings: Settings, why: string) {
  const [host = ''] = hostsOf(settings);
  return usageError(
    'NOT_OWNED',
    `Expected a load within the documented limits, since the target is not on this machine; ${why}. Nothing was sent.`,
    `Use --within-limits, or say --i-own-this-target ${host} if it is yours to load.`,
  );
}

export function hostsOf({ target, apis }: Settings): readonly string[] {
  if (target.kind !== 'url') return [];
  return [...new Set(apis.map((api) => new URL(target.baseUrls[api]).hostname))];
}

function refuseTooMany(plan: LoadPlan, { budgets }: Settings): void {
  const expected = (plan.ratePerSecond * plan.durationMs) / 1000;
  if (budgets.maxRequests !== null || expected <= plan.maxRequests) return;
  throw usageError(
    'TOO_MANY_REQUESTS',
    `--rate, --duration: expected at most ${mostRequests} requests; got about ${Math.round(expected)}.`,
    `Say --max-requests ${Math.ceil(expected)} if so many are meant, or take less.`,
  );
}

/** Operations that the target lacks, and writes that nothing was granted for. */
function refuseMix(plan: LoadPlan, settings: Settings, keys: number): void {
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
  refuseCosts(plan, settings, keys);
}

function refuseCosts(plan: LoadPlan, settings: Settings, keys: number): void {
  const counts = operationCounts(plan);
  const { maxQuota, maxSubscriptions } = budgetsOf(settings);
  // One more finds a booking that is accepted, which is the record to update as well.
  const needsRecord = counts.has('wci.subscribe') || counts.has('wci.update');
  const quota = (counts.get('wci.subscribe') ?? 0) + (needsRecord ? 1 : 0);
  // Of one leg; it may belong to the key that asked for it.
  const subscriptions = Math.min(counts.get('fla.subscribe') ?? 0, keys);
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
