import { Hono } from 'hono';
import type { ConnectionInfo, Operation } from './shared/call.ts';
import type { Clock } from '../core/clock.ts';
import { checkOptions } from '../core/knownOptions.ts';
import { assemble, type DeploymentOptions, type Parts, type RequestLogEntry } from './parts.ts';
import { httpDelivery } from './callbacks/httpDelivery.ts';
import { createStateHandler } from './state/stateHandler.ts';
import { type OperationId, operationIds, operations } from '../core/operations.ts';
import type { SharedPolicy } from './shared/policy.ts';
import { dateOf, incomingOf, passGate } from './shared/gate.ts';
import { respond } from './shared/respond.ts';
import { subscribeOperation } from './webcheckin/subscribe.ts';
import { updateOperation } from './webcheckin/update.ts';
import { statusOperation } from './webcheckin/status.ts';
import { listOperation } from './webcheckin/list.ts';
import { lookupOperation } from './flightAlerts/lookup.ts';
import { flightSubscribeOperation } from './flightAlerts/subscribe.ts';

export type { Deliver, DeliveryAnswer, OutgoingRequest } from './callbacks/httpDelivery.ts';

export type { EnterpriseSeed } from './shared/keys.ts';

/** Both APIs as one `fetch`, with the state handler beside it; opens no port. */
export interface Deployment {
  fetch(request: Request, info?: ConnectionInfo): Promise<Response>;
  stateHandler(request: Request): Promise<Response>;
  readonly clock: Clock;
  /** Whether this is a key of some enterprise, whatever its state. */
  knowsKey(value: string): boolean;
  /** Deliveries still to be made or retried. */
  pendingCallbacks(): number;
  close(): Promise<void>;
}

const known: Readonly<Record<keyof DeploymentOptions, true>> = {
  ...{
    clock: true,
    policy: true,
    seed: true,
    limits: true,
    enterprises: true,
    onRequest: true,
    deliver: true,
  },
};
const knownLimits = { perMinute: true, perHour: true } as const;

/** @throws TypeError for an option that does not exist. */
export function createDeployment(options: DeploymentOptions = {}): Deployment {
  checkOptions('createDeployment', options, known);
  if (options.limits !== undefined) checkOptions('limits of the reference', options.limits, knownLimits);
  const network = options.deliver ? null : httpDelivery();
  const parts = assemble(
    options,
    options.deliver ?? network?.deliver ?? (() => Promise.resolve({ status: null })),
  );
  const app = route(parts, options.onRequest);
  return {
    fetch: (request, info = {}) =>
      parts.policy.front(request, async (instead = request) => {
        const read = await withLength(instead, parts.policy);
        return read instanceof Response ? read : app.fetch(read, { info });
      }),
    stateHandler: createStateHandler(parts),
    clock: parts.clock,
    knowsKey: (value) => parts.keys.find(value) !== undefined,
    pendingCallbacks: () => parts.queue.size,
    close: async () => {
      parts.clock.close();
      parts.queue.close();
      await network?.close();
    },
  };
}

function withLength(request: Request, { chunkedBody }: SharedPolicy): Promise<Request | Response> {
  const isChunked = request.headers.get('transfer-encoding') === 'chunked';
  return isChunked ? chunkedBody(request) : Promise.resolve(request);
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
        incomingOf(id, req.raw, { policy: parts.policy, info: env.info, tally: parts.tally }),
      );
      const [at, durationMs] = [parts.clock.now(), parts.clock.monotonic() - startedAt];
      onRequest?.(logEntry(req.raw, passage, { operation: id, at, durationMs }));
      return passage.response;
    });
  }
  const missing = { success: false, error: 'NOT_FOUND', message: 'No such operation.' };
  app.notFound(() => respond({ status: 404, body: missing }, dateOf(parts)));
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
  request: Request,
  passage: { response: Response; enterprise: string | null },
  given: Pick<RequestLogEntry, 'operation' | 'at' | 'durationMs'>,
): RequestLogEntry {
  const { method, url } = request;
  return {
    ...given,
    method,
    target: url.slice(url.indexOf('/', url.indexOf('//') + 2)),
    enterprise: passage.enterprise,
    status: passage.response.status,
  };
}
