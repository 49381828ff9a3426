import type { Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';

/** Whether no complete response came, or one that says nothing about the API: another try may show more. */
export function isDisturbance(exchange: Exchange, wantsRefusal = false): boolean {
  const status = responseOf(exchange)?.status ?? null;
  return status === null || (status === 429 && !wantsRefusal) || (status >= 502 && status <= 504);
}
