import { z } from 'zod';
import { verdictStatuses } from '../../judge/kernel/verdict.ts';
import type { Exchange } from '../../core/evidence.ts';
import { responseOf } from '../../judge/kernel/body.ts';

const text = z.string();
const count = z.int().min(0);
const ms = z.number().min(0);

/** An event: its name, when it occurs, and its fields. */
export function eventSchema<const N extends string, S extends z.ZodRawShape>(
  name: N,
  about: string,
  shape: S,
) {
  return z.object({ name: z.literal(name), ...shape }).describe(about);
}

/** The events of a run, for the progress display and the journal. Only the `request` of an exchange may contain secrets. */
export const runEventSchema = z.discriminatedUnion('name', [
  eventSchema('run-started', 'the plan is made, and the target has answered or is out of reach', {
    runId: text,
    seed: z.int(),
    target: text,
    checks: count,
    requirements: count,
    plannedRequests: count,
    expectedMs: ms.describe('shortest time that the rate limits allow'),
    requestMs: ms.describe('expected time of one request without waiting'),
    forecastMs: ms.describe('expected duration of the run'),
  }),
  eventSchema('check-started', 'a check begins', { check: text, title: text }),
  eventSchema('check-finished', 'a check is over', {
    check: text,
    title: text,
    status: z.enum(verdictStatuses),
    reason: text.nullable(),
    requests: count,
  }),
  eventSchema('requirement-judged', 'all checks of a requirement are over', {
    requirement: text,
    status: z.enum(verdictStatuses),
  }),
  eventSchema('open-point-observed', 'the target showed its variant of an open point', {
    openPoint: text,
    variant: text,
  }),
  eventSchema('exchange', 'a request was answered, or was not', {
    id: text.describe('as in the evidence file'),
    check: text.describe('id of the check that it was sent for, or what else it was for'),
    operation: text.nullable(),
    // A display redacts it first; a proof does not show it.
    request: text.describe('method, path and query as sent, without secrets'),
    key: text.nullable().describe('label of the key; null if none was sent'),
    status: count.nullable().describe('null if no answer came'),
    durationMs: ms,
  }),
  eventSchema('callback', 'a delivery reached the sink', {
    id: text.describe('as in the evidence file'),
    answer: text.describe('how it was answered'),
  }),
  eventSchema('state-set', 'the state handler was asked for a state', {
    state: text,
    params: text.describe('JSON with labels for secrets, cut off if long'),
    error: text.nullable().describe('what went wrong; null if the state handler succeeded'),
  }),
  eventSchema('waiting', 'requests wait', {
    reason: z.enum(['pace', 'retry-after', 'key-refused']),
    ms,
    key: text.describe('label of the key'),
  }),
  eventSchema('callback-awaited', 'a delivery that a check waited for has come', { ms }),
  eventSchema('forecast', 'how much longer the run takes, reported when that changes', {
    leftMs: ms,
  }),
  eventSchema('finding', 'a requirement is broken, as far as is known by now', {
    requirement: text,
    check: text,
    severity: z.enum(['fail', 'warn', 'inconclusive']),
    message: text,
  }),
  eventSchema('notice', 'anything else that a user has to know', { text }),
  eventSchema('interrupted', 'somebody ended the run', {}),
  eventSchema('run-finished', 'the last request is answered', {
    verdict: text,
    requests: count,
    durationMs: ms,
  }),
]);

/** The same type, deeply readonly. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
export type RunEvent = Frozen<z.infer<typeof runEventSchema>>;
export type Listener = (event: RunEvent) => void;

/** An exchange as an event for listeners; its request may contain secrets. */
export function exchangeEvent(exchange: Exchange): Extract<RunEvent, { name: 'exchange' }> {
  const { id, check, operation, key, timings } = exchange;
  return {
    name: 'exchange',
    id,
    check,
    operation,
    key,
    request: `${exchange.request.method} ${exchange.request.target}`,
    status: responseOf(exchange)?.status ?? null,
    durationMs: timings.received - timings.sent,
  };
}
