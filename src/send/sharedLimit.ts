import type { WindowLimit } from '../core/windowLimit.ts';
import type { KeyBudgets, SharedLimit } from './keyBudgets.ts';
import { slackMs } from './keyWindow.ts';
import type { ApiKey } from './keyRing.ts';

/** A 429 to a request that was within the limits of its key. */
interface Surprise {
  readonly key: ApiKey;
  /** The announced wait in milliseconds; null if none was. */
  readonly waitMs: number | null;
  readonly now: number;
}

/** How far the requests of a shared limit may be from its number: refused ones and those under way may count or not. */
const off = { below: 0.95, above: 1.2 };

const scopes = ['enterprise', 'address'] as const;

/**
 * The limit that several keys have reached together while the refused one has room by itself. Null if there is none: then the key
 * has used up its own limit, or others use it as well.
 */
export function sharedLimit(
  budgets: KeyBudgets,
  limits: readonly WindowLimit[],
  { key, waitMs, now }: Surprise,
): SharedLimit | null {
  const countOf = (one: ApiKey, { windowMs }: WindowLimit) => budgets.own(one).countIn(windowMs, now);
  if (limits.some((window) => countOf(key, window) >= window.limit * off.below)) return null;
  for (const window of limits) {
    // A longer wait than its window is announced by another limit.
    if (waitMs !== null && waitMs > window.windowMs + slackMs) continue;
    for (const scope of scopes) {
      const keys = budgets.beside(key, scope);
      const count = keys.reduce((sum, one) => sum + countOf(one, window), 0);
      const isReached = count >= window.limit * off.below && count <= window.limit * off.above;
      if (keys.length > 1 && isReached) return { scope, window };
    }
  }
  return null;
}
