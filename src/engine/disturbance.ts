import type { Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';

/** No whole response, or one that says nothing about the API: a second try may see more. */
export function isDisturbance(exchange: Exchange, wantsRefusal = false): boolean {
  const status = responseOf(exchange)?.status ?? null;
  return status === null || (status === 429 && !wantsRefusal) || (status >= 502 && status <= 504);
}
