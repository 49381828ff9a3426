import type { Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isDocumented, isObject, onceForAnswers, readAnswer, type Json } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';

/** Whose a record is, as an answer told. */
interface Owned {
  readonly enterprise: string;
  readonly by: Exchange;
  /** Whether a subscribe returned it: it belongs to the first enterprise to which one does. Others may be shown what is not theirs. */
  readonly isMade: boolean;
}

/** Shorter ids may be running numbers of each enterprise, or mean something else in an answer. */
export const distinctive = 8;

/** Which enterprise each record belongs to. */
export class Owners {
  readonly #records = new RecentMap<string, Owned>();
  readonly #owning = new Set<string>();

  learn({ enterprise, exchange, op }: Call): void {
    if (enterprise === null) return;
    for (const id of idsShown(exchange)) {
      const known = this.#records.get(id);
      const isMade = op === 'wci.subscribe' && id.length >= distinctive;
      if (known && (known.isMade || !isMade)) continue;
      this.#records.set(id, { enterprise, by: exchange, isMade });
      if (isMade) this.#owning.add(enterprise);
    }
  }

  /** The answer that showed a record first to an enterprise that it may belong to. */
  shownTo(enterprise: string | null, id: unknown): Exchange | null {
    const known = typeof id === 'string' ? this.#records.get(id) : undefined;
    return known?.enterprise === enterprise ? known.by : null;
  }

  /** The subscribe that made a record of another enterprise; null for anything else. */
  foreign(enterprise: string, id: unknown): Exchange | null {
    const known = typeof id === 'string' ? this.#records.get(id) : undefined;
    return known?.isMade === true && known.enterprise !== enterprise ? known.by : null;
  }

  /** Whether there is anything that could be shown to an enterprise wrongly. */
  areOthersBeside(enterprise: string): boolean {
    return this.#owning.size > (this.#owning.has(enterprise) ? 1 : 0);
  }

  get forgotten(): number {
    return this.#records.forgotten;
  }
}

/** The ids of the records that an answer shows. A rejected journey shows none. */
function idsShown(exchange: Exchange): readonly string[] {
  const isCheckin = isDocumented(exchange) && exchange.operation.startsWith('wci.');
  return isCheckin ? idsIn(exchange.operation, exchange.outcome.response.body) : none;
}

const idsIn = onceForAnswers((operation, bytes): readonly string[] => {
  const { typed: body } = readAnswer(operation, bytes);
  if (!isObject(body) || body.message === 'REJECTED') return none;
  const { data } = body;
  const shown = operation === 'wci.list' || operation === 'wci.update' ? data : body;
  const records = Array.isArray(shown) ? (shown as readonly Json[]).slice(0, mostItems) : [shown];
  return records.flatMap((one) =>
    isObject(one) && typeof one.checkin_id === 'string' ? one.checkin_id : [],
  );
});

const none: readonly string[] = Object.freeze([]);
/** A page has 100 at most. */
const mostItems = 1000;
