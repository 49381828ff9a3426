import type { WindowLimit } from '../core/windowLimit.ts';
import type { ApiKey } from './keyRing.ts';
import { slackMs } from './keyWindow.ts';

/** A refusal of a request that was within the limits of its key. */
interface Surprise {
  readonly key: ApiKey;
  readonly window: WindowLimit;
  /** Requests of the key in this window, with the refused one. */
  readonly count: number;
  /** The announced wait in milliseconds; null if none was. */
  readonly waitMs: number | null;
  readonly now: number;
}

/** Refusals of one key within this share of a window have one cause. */
const apart = 0.5;
/** Less than this share of a limit is more likely the use of others, which may end. */
const least = 0.1;

/** Finds the limit that a deployment keeps in place of a higher one: keys are refused with fewer requests, again and again. */
export class LowerLimits {
  readonly #first = new Map<number, Pick<Surprise, 'key' | 'count' | 'now'>>();

  /** The limit to keep from now on; null while others may have used the key. */
  see({ key, window, count, waitMs, now }: Surprise): WindowLimit | null {
    const { limit, windowMs } = window;
    if (count > limit || (waitMs !== null && waitMs > windowMs + slackMs)) return null;
    const first = this.#first.get(windowMs);
    if (first === undefined) this.#first.set(windowMs, { key, count, now });
    if (first === undefined || (first.key === key && now - first.now < apart * windowMs)) return null;
    this.#first.set(windowMs, { key, count, now });
    const most = Math.max(first.count, count) - 1;
    return most < least * limit ? null : { limit: most, windowMs };
  }
}
