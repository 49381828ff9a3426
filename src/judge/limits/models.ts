import { combined, unbounded, type Bounds } from './bounds.ts';
import type { Decision } from './decision.ts';
import { epochWindow } from './models/epochWindow.ts';
import { firstRequestWindow } from './models/firstRequestWindow.ts';
import { leakyQueue } from './models/leakyQueue.ts';
import { rollingLog } from './models/rollingLog.ts';
import { slidingCounter } from './models/slidingCounter.ts';
import { tokenBucket } from './models/tokenBucket.ts';
import { budgetsByScope, type LimiterScope } from './scope.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';

export type ModelId =
  | 'rolling-log'
  | 'rolling-log-counting-refused'
  | 'leaky-queue'
  | 'epoch-window'
  | 'first-request-window'
  | 'sliding-counter'
  | 'token-bucket'
  | 'per-enterprise'
  | 'per-address'
  | 'per-api'
  | 'per-route'
  | 'per-connection'
  | 'racy';

/** One way in which a limiter may work, and what a timeline of decisions says about the size of its window. */
export interface Model {
  readonly id: ModelId;
  readonly title: string;
  readonly scope: LimiterScope;
  /** Products and set-ups that behave like this, if some are well known. */
  readonly like?: string;
  /** Bounds of one budget. `limit` helps if only one of many phases can be shown. */
  readonly judge: (decisions: readonly Decision[], windowMs: number, limit: number) => Bounds;
}

const log = (countsRefused: boolean, racy = false): Model['judge'] => {
  return (decisions, windowMs) => rollingLog(decisions, windowMs, { countsRefused, racy });
};

const ofScope = (scope: Exclude<LimiterScope, 'key'>, words: string): Model => ({
  id: `per-${scope}`,
  title: `rolling log, one for each ${words}`,
  scope,
  judge: log(false),
});

/** The documented limiter. */
export const documentedLog: Model = {
  id: 'rolling-log',
  title: 'rolling log',
  scope: 'key',
  judge: log(false),
};

/** The models by rank: of several that fit, the first one names the limiter. */
export const models: readonly Model[] = [
  // A queue cannot explain a limiter that answers at once; so if a queue fits, it is one.
  {
    id: 'leaky-queue',
    title: 'leaky bucket as a queue',
    scope: 'key',
    like: 'nginx (limit_req with burst, without nodelay)',
    judge: leakyQueue,
  },
  documentedLog,
  {
    id: 'rolling-log-counting-refused',
    title: 'rolling log in which refused requests count',
    scope: 'key',
    judge: log(true),
  },
  {
    id: 'racy',
    title: 'rolling log with a race',
    scope: 'key',
    like: 'a count that is read first and written afterwards',
    judge: log(false, true),
  },
  {
    id: 'first-request-window',
    title: 'fixed window opened by the first request',
    scope: 'key',
    like: 'Redis INCR with EXPIRE at the first request, express-rate-limit',
    judge: firstRequestWindow,
  },
  {
    id: 'epoch-window',
    title: 'fixed window aligned to the clock',
    scope: 'key',
    like: 'a counter in Redis for each clock minute or hour, the rate limit service of Envoy, rate-limiting of Kong',
    judge: epochWindow,
  },
  {
    id: 'sliding-counter',
    title: 'sliding-window counter',
    scope: 'key',
    like: 'Cloudflare, rate-limiting-advanced of Kong',
    judge: slidingCounter,
  },
  {
    id: 'token-bucket',
    title: 'token bucket',
    scope: 'key',
    like: 'a bucket that holds as much as it refills in a window: Envoy, AWS API Gateway, redis-cell, bucket4j',
    judge: tokenBucket,
  },
  ofScope('enterprise', 'enterprise'),
  ofScope('address', 'client address'),
  ofScope('api', 'API'),
  ofScope('route', 'operation'),
  ofScope('connection', 'connection'),
];

/** `rolling log of 60 in which refused requests count`: the number follows what it is the size of. */
export function sizedTitle(title: string, size: string | number): string {
  return title.replace(
    /^(?:rolling log|leaky bucket|fixed window|sliding-window counter|token bucket)/,
    `$& of ${size}`,
  );
}

/** What a timeline says about a model, over all of its budgets. */
export function boundsFor(
  model: Model,
  decisions: readonly Decision[],
  { windowMs, limit }: WindowLimit,
): Bounds {
  return budgetsByScope(decisions, model.scope)
    .map((budget) => model.judge(budget, windowMs, limit))
    .reduce(combined, unbounded);
}
