import { usageError } from '../core/errors.ts';
import { operations } from '../core/operations.ts';
import { pacedLimits, type Settings } from '../core/settings.ts';
import { budgetsOf, ownershipOf } from '../plan/budgets.ts';
import { operationCounts } from './arrivals.ts';
import { journeyCosts, journeyParts, type ChosenJourney } from './journeys/journeyPlan.ts';
import type { SinkManner } from './journeys/sinkManner.ts';
import { defaultMixFor, isWrite } from './mix.ts';
import { rateWithinLimits, type ArrivalKind, type LoadPlan, type MixEntry, type Stage } from './plan.ts';
import { durationOf, peakOf, RateCurve, stagesOf } from './shape.ts';
import type { Threshold } from './thresholds.ts';

/** What the user requested, before the keys are known; null for what was not given. */
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
  /** How the rate changes, for all or for one journey; empty if it does not. */
  readonly stages: readonly NamedStages[];
  readonly warmUpMs: number;
  readonly journeys: readonly ChosenJourney[];
  /** What a partner does if the rate limit refuses it. */
  readonly on429: 'obey' | 'ignore';
  /** How the sink answers the webhooks of journeys. */
  readonly sinkManner: SinkManner;
  /** Interval at which all connections are closed at once; null for never. */
  readonly reconnectMs: number | null;
  /** Bounds for searching the highest rate; null for a plain load. */
  readonly capacity: readonly Threshold[] | null;
  /** Duration of each trial of that search. */
  readonly trialMs: number;
  /** Result file of an earlier load to compare with. */
  readonly compareWith: string | null;
  /** Number of new enterprises, with a key each; or a file of keys, each of its own enterprise. */
  readonly tenants: number | null;
  readonly tenantsFrom: string | null;
  /** Share of all requests that one tenant sends half of the time; null for none. */
  readonly noisyShare: number | null;
  /** Number of processes of this machine that send; null for as many as the rate needs. */
  readonly processes: number | null;
  /** Share of the answers to reads that is judged; null for all as long as there is time. */
  readonly judgeShare: number | null;
}

/** Stages of one journey, or of everything that has none of its own. */
export interface NamedStages {
  readonly journey: string | null;
  readonly stages: readonly Stage[];
}

export interface WorkerOptions {
  readonly count: number;
  readonly redisUrl: string;
}

/** More requests than this are sent only if the user gives a number. */
const mostRequests = 1_000_000;

/** Determines what a load sends, from what was requested and what is allowed. Throws a usage error that says what is. */
export function planLoad(options: LoadOptions, settings: Settings, keyCount: number): LoadPlan {
  const keys = keysFor(options, keyCount);
  refuseReconnects(options);
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
    ratePerSecond: wanted ?? (options.capacity === null ? most : Math.min(10, most)),
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
  refuseNoisy(options, plan);
  refuseMix(plan, settings);
  refuseCosts(plan, settings, { keys, journeys: options.journeys });
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

/** If other processes or autocannon send, they hold the connections. */
function refuseReconnects({ reconnectMs, workers, saturate, processes, capacity }: LoadOptions): void {
  const others = [
    [workers !== null, '--workers'],
    [saturate, '--saturate'],
    [(processes ?? 1) > 1, '--processes'],
    [capacity !== null, '--find-capacity'],
  ] as const;
  const [, other] = others.find(([is]) => is) ?? [];
  if (reconnectMs === null || other === undefined) return;
  throw usageError(
    'RECONNECT',
    `--reconnect: expected a load of this process alone, which holds the connections; got ${other}. Nothing was sent.`,
    `Leave out --reconnect or ${other}.`,
  );
}

export function keysFor({ keys }: Pick<LoadOptions, 'keys'>, keyCount: number): number {
  if (keys === null || keys <= keyCount) return keys ?? keyCount;
  throw usageError(
    'LOAD_KEYS',
    `--keys: expected at most ${keyCount}, since there are no more primary keys; got ${keys}.`,
    'Name more keys in GATECHECK_KEYS_PRIMARY, or fewer with --keys.',
  );
}

/** Whether a remote deployment may be loaded beyond its documented limits: only if the user says to own that very host. */
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

/** A search exceeds any limit, and how much it sends is unknown: only reads, and only to a deployment of one's own. */
function refuseSearch(options: LoadOptions, settings: Settings): true {
  if (!isOwned(options, settings)) throw notOwned(settings, '--find-capacity goes beyond any limit');
  const write = options.mix?.find(({ operation }) => isWrite(operation));
  const what = options.journeys.length > 0 ? 'journeys' : write?.operation;
  if (what === undefined) return true;
  throw usageError(
    'CAPACITY',
    `--find-capacity: expected reads only, since the number of requests is not known in advance; got ${what}.`,
  );
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

/** About how many requests (or started journeys) a plan means. */
export function expectedCount(plan: LoadPlan): number {
  const courses = [stagesOf(plan), ...(plan.ownShapes ?? []).map(({ stages }) => stages)];
  const [, ...own] = courses;
  const all = plan.stages === undefined && own.length > 0 && plan.mix.length === 0 ? own : courses;
  return all.reduce((sum, stages) => sum + new RateCurve(stages).countAt(plan.durationMs), 0);
}

/** Within the limits, no tenant can be noisy; and a few keys of one enterprise are not tenants. */
function refuseNoisy({ noisyShare, tenants, tenantsFrom }: LoadOptions, { withinLimits }: LoadPlan): void {
  if (noisyShare === null) return;
  const wrong =
    tenants === null && tenantsFrom === null
      ? ['many tenants, of whom one can be noisy; got none', 'Add --tenants N or --tenants-from FILE.']
      : withinLimits
        ? ['a load beyond the limits; got one within them', 'Say a --rate, and leave out --within-limits.']
        : null;
  if (wrong !== null)
    throw usageError('NOISY', `--noisy: expected ${wrong[0] ?? ''}. Nothing was sent.`, wrong[1]);
}

function refuseTooMany(plan: LoadPlan, { budgets }: Settings): void {
  const expected = expectedCount(plan);
  if (budgets.maxRequests !== null || expected <= plan.maxRequests) return;
  throw usageError(
    'TOO_MANY_REQUESTS',
    `--rate, --duration: expected at most ${mostRequests} requests; got about ${Math.round(expected)}.`,
    `Say --max-requests ${Math.ceil(expected)} if you mean that many, or lower the rate or the duration.`,
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
  const counts = operationCounts(plan);
  const costs = journeyCosts(plan, journeys);
  const { maxQuota, maxSubscriptions } = budgetsOf(settings);
  // One more is for finding an accepted booking, which is also the record to update.
  const needsRecord = counts.has('wci.subscribe') || counts.has('wci.update') || costs.quota > 0;
  const quota = (counts.get('wci.subscribe') ?? 0) + costs.quota + (needsRecord ? 1 : 0);
  // Of one leg, which may belong to the key that asked for it; and of a leg for each partner that has one of its own.
  const ofOneLeg = (counts.get('fla.subscribe') ?? 0) + costs.subscriptions - costs.ownLegs;
  const subscriptions = Math.min(ofOneLeg, keys) + costs.ownLegs;
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
