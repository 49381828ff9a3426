import { Hono } from 'hono';
import { systemClock, type Clock } from '../core/clock.ts';
import { operationIds, operations, type OperationId } from '../core/operations.ts';
import { createRandom, deriveSeed } from '../core/random.ts';
import type { Deliver } from './callbacks/delivery.ts';
import { httpDelivery } from './callbacks/httpDelivery.ts';
import { CallbackQueue } from './callbacks/queue.ts';
import { defaultEnterprises } from './enterprises.ts';
import type { FlightAlerts } from './flightAlerts/context.ts';
import { lookupOperation } from './flightAlerts/lookup.ts';
import { flightSubscribeOperation } from './flightAlerts/subscribe.ts';
import { SubscriptionStore } from './flightAlerts/subscriptions.ts';
import { Upstream } from './flightAlerts/upstream.ts';
import { documentedPolicy, type Policy } from './policy.ts';
import type { ConnectionInfo, Operation } from './shared/call.ts';
import { DeploymentClock } from './shared/deploymentClock.ts';
import { incomingOf, passGate } from './shared/gate.ts';
import { KeyRegistry, type EnterpriseSeed } from './shared/keys.ts';
import { RateLimiter, type RateLimits } from './shared/limiter.ts';
import { Mutex } from './shared/mutex.ts';
import { respond } from './shared/respond.ts';
import { Tally } from './shared/tally.ts';
import { createStateHandler } from './state/stateHandler.ts';
import { AttemptStore } from './webcheckin/attempts.ts';
import { Automation } from './webcheckin/automation.ts';
import type { WebCheckin } from './webcheckin/context.ts';
import { listOperation } from './webcheckin/list.ts';
import { statusOperation } from './webcheckin/status.ts';
import { subscribeOperation } from './webcheckin/subscribe.ts';
import { updateOperation } from './webcheckin/update.ts';

export type { Deliver, DeliveryAnswer, OutgoingRequest } from './callbacks/delivery.ts';
export type { EnterpriseSeed } from './shared/keys.ts';

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

/** Both APIs as one `fetch`, with the state handler beside it; opens no port. */
export interface Deployment {
  fetch(request: Request, info?: ConnectionInfo): Promise<Response>;
  stateHandler(request: Request): Promise<Response>;
  readonly clock: Clock;
  /** Deliveries still to be made or retried. */
  pendingCallbacks(): number;
  close(): Promise<void>;
}

const defaultLimits: RateLimits = { perMinute: 60, perHour: 1000 };

export function createDeployment(options: DeploymentOptions = {}): Deployment {
  const network = options.deliver ? null : httpDelivery();
  const parts = assemble(
    options,
    options.deliver ?? network?.deliver ?? (() => Promise.resolve({ status: null })),
  );
  const app = route(parts, options.onRequest);
  return {
    fetch: async (request, info = {}) => app.fetch(request, { info }),
    stateHandler: createStateHandler(parts),
    clock: parts.clock,
    pendingCallbacks: () => parts.queue.size,
    close: async () => {
      parts.clock.close();
      parts.queue.close();
      await network?.close();
    },
  };
}

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
}

function assemble(options: DeploymentOptions, deliver: Deliver): Parts {
  const { policy = documentedPolicy, seed = 1, limits = defaultLimits } = options;
  const clock = new DeploymentClock(options.clock ?? systemClock);
  const queue = new CallbackQueue(clock, deliver);
  const random = createRandom(deriveSeed(seed, 'ids'));
  const common = { policy, clock, queue, random, locks: new Mutex(), attempts: new AttemptStore() };
  const automation = new Automation(common);
  let lastBookingId = 100_000 + Math.floor(random() * 800_000);
  const nextBookingId = () => (lastBookingId += 1);
  return {
    ...common,
    tally: new Tally(),
    keys: new KeyRegistry(options.enterprises ?? defaultEnterprises(seed).enterprises),
    limiter: new RateLimiter(policy.limits(limits), policy.minuteCounter, policy.hourCounter),
    webCheckin: { ...common, automation, nextBookingId },
    flightAlerts: { ...common, upstream: new Upstream(), subscriptions: new SubscriptionStore() },
  };
}

function route(
  parts: Parts,
  onRequest: DeploymentOptions['onRequest'],
): Hono<{ Bindings: { info: ConnectionInfo } }> {
  const app = new Hono<{ Bindings: { info: ConnectionInfo } }>();
  const handlers = operationsOf(parts);
  for (const id of operationIds) {
    const { method, path } = operations[id];
    app.on(method, path, async ({ req, env }) => {
      const startedAt = parts.clock.monotonic();
      const passage = await passGate(
        parts,
        handlers[id],
        incomingOf(id, req.raw, { info: env.info, tally: parts.tally }),
      );
      onRequest?.(logEntry(id, req.raw, passage, parts, startedAt));
      return passage.response;
    });
  }
  const missing = { success: false, error: 'NOT_FOUND', message: 'No such operation.' };
  app.notFound(() => respond({ status: 404, body: missing }, parts.clock.now()));
  return app;
}

function operationsOf({ webCheckin, flightAlerts }: Parts): Record<OperationId, Operation<unknown>> {
  return {
    'wci.subscribe': subscribeOperation(webCheckin),
    'wci.update': updateOperation(webCheckin),
    'wci.status': statusOperation(webCheckin),
    'wci.list': listOperation(webCheckin),
    'fla.lookup': lookupOperation(flightAlerts),
    'fla.subscribe': flightSubscribeOperation(flightAlerts),
  };
}

function logEntry(
  operation: OperationId,
  request: Request,
  passage: { response: Response; enterprise: string | null },
  { clock }: Parts,
  startedAt: number,
): RequestLogEntry {
  const { method, url } = request;
  return {
    operation,
    method,
    target: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
    enterprise: passage.enterprise,
    status: passage.response.status,
    at: clock.now(),
    durationMs: clock.monotonic() - startedAt,
  };
}
