import type { Exchange } from '../../core/evidence.ts';
import { operations, type OperationId } from '../../core/operations.ts';
import { responseOf } from '../kernel/body.ts';
import { retryAfterMs } from '../../send/retryAfter.ts';

/** What a limiter decided about one request. `unknown`: the answer was lost, or says nothing about the limits. */
export type Ruling = 'admitted' | 'refused' | 'unknown';

/**
 * One request as a limiter saw it: at some instant between `sent` and `received`, in milliseconds of a clock that runs like the
 * deployment's. Every conclusion holds for every instant in between.
 */
export interface Decision {
  /** Id of the exchange. */
  readonly id: string;
  readonly sent: number;
  readonly received: number;
  /** How far the clock had been moved forward by then, which both instants include; 0 if it is not known. */
  readonly movedMs?: number;
  readonly ruling: Ruling;
  /** Seconds; null if none was given. */
  readonly retryAfter: number | null;
  readonly key: string | null;
  readonly enterprise: string | null;
  readonly api: string | null;
  readonly route: OperationId | null;
  /** Client address; null if it is not known to differ. */
  readonly address: string | null;
  /** Connection; null if it was left to the client. */
  readonly connection: string | null;
  /** Refused, but perhaps by another limit than the one that is looked at. */
  readonly isDisputed?: true;
}

/** Resolution of the clocks, ours and the deployment's. */
const tickMs = 1;

/** A request whose answer was lost may still be on its way: the deployment may decide it this much later. */
const lostGraceMs = 10_000;

/**
 * The decision that an exchange shows; null for a request that was never sent. `shiftMs` is how far the deployment's clock had
 * been moved forward when it was sent.
 */
export function decisionOf(
  exchange: Exchange,
  shiftMs = 0,
  way: { readonly address?: string; readonly connection?: string } = {},
): Decision | null {
  const { outcome, timings, operation, key, enterprise, id } = exchange;
  if (outcome.kind === 'failure' && !outcome.failure.maybeDelivered) return null;
  const isLost = outcome.kind === 'failure';
  const ruling = rulingOf(exchange);
  const retryAfter = ruling === 'refused' ? retryAfterMs(outcome) : null;
  return {
    id,
    sent: timings.sent + shiftMs,
    received: timings.received + shiftMs + tickMs + (isLost ? lostGraceMs : 0),
    ...(shiftMs > 0 && { movedMs: shiftMs }),
    ruling,
    retryAfter: retryAfter === null ? null : retryAfter / 1000,
    key,
    enterprise,
    api: operation === null ? null : operations[operation].api,
    route: operation,
    address: way.address ?? null,
    connection: way.connection ?? null,
  };
}

/** Only a 2xx certainly passed the limits and counts; any other answer may have been given before the limits or independently of them. */
function rulingOf(exchange: Exchange): Ruling {
  const status = responseOf(exchange)?.status ?? 0;
  if (status === 429) return 'refused';
  return status >= 200 && status < 300 ? 'admitted' : 'unknown';
}

/** In the order of sending. */
export function bySending(decisions: readonly Decision[]): readonly Decision[] {
  return [...decisions].sort((a, b) => a.sent - b.sent || a.received - b.received);
}
