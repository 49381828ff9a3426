import { both, unbounded, type Bounds } from './bounds.ts';
import type { Decision } from './decision.ts';
import { epochWindow } from './models/epochWindow.ts';
import { firstRequestWindow } from './models/firstRequestWindow.ts';
import { leakyQueue } from './models/leakyQueue.ts';
import { rollingLog } from './models/rollingLog.ts';
import { slidingCounter } from './models/slidingCounter.ts';
import { tokenBucket } from './models/tokenBucket.ts';
import { budgetsOf, type Scope } from './scope.ts';

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

/** A way in which a limiter may work, and what a timeline of decisions says about the size of its window. */
export interface Model {
  readonly id: ModelId;
  readonly title: string;
  readonly scope: Scope;
  /** Bounds of one budget. `limit` helps where only one of many phases can be shown. */
  readonly judge: (decisions: readonly Decision[], windowMs: number, limit: number) => Bounds;
}

const log = (countsRefused: boolean, racy = false): Model['judge'] => {
  return (decisions, windowMs) => rollingLog(decisions, windowMs, { countsRefused, racy });
};

const ofScope = (scope: Exclude<Scope, 'key'>, words: string): Model => ({
  id: `per-${scope}`,
  title: `rolling log, one for each ${words}`,
  scope,
  judge: log(false),
});

/** The models by rank: of several that fit, the first one is what the limiter is called. */
export const models: readonly Model[] = [
  // A queue is all but impossible for anything that answers at once, so that where it fits it is one.
  { id: 'leaky-queue', title: 'leaky bucket as a queue', scope: 'key', judge: leakyQueue },
  { id: 'rolling-log', title: 'rolling log', scope: 'key', judge: log(false) },
  {
    id: 'rolling-log-counting-refused',
    title: 'rolling log in which refused requests count',
    scope: 'key',
    judge: log(true),
  },
  { id: 'racy', title: 'rolling log with a race', scope: 'key', judge: log(false, true) },
  {
    id: 'first-request-window',
    title: 'fixed window opened by the first request',
    scope: 'key',
    judge: firstRequestWindow,
  },
  { id: 'epoch-window', title: 'fixed window aligned to the clock', scope: 'key', judge: epochWindow },
  { id: 'sliding-counter', title: 'sliding-window counter', scope: 'key', judge: slidingCounter },
  { id: 'token-bucket', title: 'token bucket', scope: 'key', judge: tokenBucket },
  ofScope('enterprise', 'enterprise'),
  ofScope('address', 'client address'),
  ofScope('api', 'API'),
  ofScope('route', 'operation'),
  ofScope('connection', 'connection'),
];

/** What a timeline says of a model, over all of its budgets. */
export function boundsFor(
  model: Model,
  decisions: readonly Decision[],
  windowMs: number,
  limit: number,
): Bounds {
  return budgetsOf(decisions, model.scope)
    .map((budget) => model.judge(budget, windowMs, limit))
    .reduce(both, unbounded);
}
