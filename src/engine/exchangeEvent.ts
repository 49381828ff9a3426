import type { Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { RunEvent } from './events.ts';

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
