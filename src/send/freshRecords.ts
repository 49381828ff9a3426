import type { Exchange } from '../core/evidence.ts';
import { RecentMap } from '../core/recentMap.ts';
import { lateMs } from '../spec/world/owners.ts';
import { memberOf, responseOf } from '../trace/body.ts';
import type { ApiRequest } from './request.ts';

/** Milliseconds before each further read of a record that is not found a moment after it was made: a copy may lag. */
export const freshPauses = [300, 700, 2_000] as const;

interface Made {
  readonly enterprise: string | null;
  readonly at: number;
}

/** The records that were made a moment ago: reads are perhaps answered from a copy that does not have them yet. */
export class FreshRecords {
  readonly #made = new RecentMap<string, Made>();

  learn(exchange: Exchange): void {
    if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return;
    const id = memberOf(exchange, 'checkin_id');
    const at = exchange.timings.received;
    if (typeof id === 'string') this.#made.set(id, { enterprise: exchange.enterprise, at });
  }

  /** Whether a read found nothing that it may find soon. */
  isAwaited({ operation, query, wantsRefusal }: ApiRequest, exchange: Exchange): boolean {
    if (operation !== 'wci.status' || wantsRefusal || responseOf(exchange)?.status !== 404) return false;
    const [[, id] = []] = new URLSearchParams(query);
    const made = id === undefined ? undefined : this.#made.get(id);
    return made?.enterprise === exchange.enterprise && exchange.timings.sent - made.at < lateMs;
  }
}
