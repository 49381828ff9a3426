import { Tally } from './shared/tally.ts';
import { RateLimiter, type RateLimits } from './shared/limiter.ts';
import { documentedPolicy, type Policy } from './policy.ts';
import { DeploymentClock } from './shared/deploymentClock.ts';
import { CallbackQueue } from './callbacks/queue.ts';
import { type Enterprise, type EnterpriseSeed, KeyRegistry } from './shared/keys.ts';
import type { WebCheckin } from './webcheckin/context.ts';
import type { FlightAlerts } from './flightAlerts/context.ts';
import type { Deliver } from './callbacks/httpDelivery.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { createRandom, deriveSeed } from '../core/random.ts';
import type { Moment } from './shared/moment.ts';
import { Mutex } from './shared/mutex.ts';
import { AttemptStore } from './webcheckin/attempts.ts';
import { Automation } from './webcheckin/automation.ts';
import { defaultEnterprises } from './enterprises.ts';
import { Upstream } from './flightAlerts/upstream.ts';
import { SubscriptionStore } from './flightAlerts/subscriptions.ts';
import type { OperationId } from '../core/operations.ts';

const defaultLimits: RateLimits = { perMinute: 60, perHour: 1000 };

/** Everything that a deployment consists of. */
export interface Parts {
  readonly policy: Policy;
  readonly clock: DeploymentClock;
  readonly queue: CallbackQueue;
  readonly keys: KeyRegistry;
  readonly limiter: RateLimiter;
  readonly webCheckin: WebCheckin;
  readonly flightAlerts: FlightAlerts;
  readonly random: () => number;
  readonly tally: Tally;
  readonly moment: () => Moment;
}

export function assemble(options: DeploymentOptions, deliver: Deliver): Parts {
  const { policy = documentedPolicy, seed = 1, limits = defaultLimits } = options;
  const clock = new DeploymentClock(options.clock ?? systemClock);
  const queue = new CallbackQueue(clock, deliver);
  const random = createRandom(deriveSeed(seed, 'ids'));
  const tally = new Tally();
  const moment = () => ({ now: clock.now(), serial: tally.next('act') });
  const common = { policy, clock, queue, random, moment, locks: new Mutex(), attempts: new AttemptStore() };
  const automation = new Automation(common);
  let lastBookingId = 100_000 + Math.floor(random() * 800_000);
  const bookings = new Tally();
  const nextBookingNumbers = ({ id }: Enterprise) => [(lastBookingId += 1), bookings.next(id)] as const;
  return {
    ...common,
    tally,
    keys: new KeyRegistry(options.enterprises ?? defaultEnterprises(seed).enterprises),
    limiter: new RateLimiter(
      policy.limits(limits),
      policy.minuteCounter,
      policy.hourCounter,
      policy.sharesHour,
    ),
    webCheckin: { ...common, automation, nextBookingNumbers },
    flightAlerts: { ...common, upstream: new Upstream(), subscriptions: new SubscriptionStore() },
  };
}

export interface DeploymentOptions {
  readonly clock?: Clock;
  readonly policy?: Policy;
  /** Seed of keys, ids and callback keys. */
  readonly seed?: number;
  readonly limits?: RateLimits;
  readonly enterprises?: readonly EnterpriseSeed[];
  readonly onRequest?: (entry: RequestLogEntry) => void;
  /** How callbacks are sent; over the network by default. */
  readonly deliver?: Deliver;
}

/** One answered request, without anything secret. */
export interface RequestLogEntry {
  readonly operation: OperationId;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly enterprise: string | null;
  readonly status: number;
  /** Deployment time, epoch ms. */
  readonly at: number;
  readonly durationMs: number;
}
