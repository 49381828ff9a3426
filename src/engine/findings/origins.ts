import { isExchange, type Evidence, type Exchange } from '../../core/evidence.ts';
import { faultOfInput } from '../../judge/shared/sentInputs.ts';
import { sightsIn } from '../../spec/world/sights.ts';

/** Most records that are remembered. */
const mostRecords = 1000;
/** In longer cases it is unclear how the answers relate to each other. */
const longestCase = 10;

/** What showed a finding. */
interface Shown {
  readonly decisive: Evidence | null;
  readonly exchanges: readonly Evidence[];
  /** The place in the body, with the position if it is in a list. */
  readonly at: string;
}

/** Knows which records should not exist, so that what they break later is attributed to what let them in. */
export class Origins {
  /** The rule by which the booking of a record should have been refused, by checkin_id. */
  readonly #records = new Map<string, string>();
  readonly #violatedBy: (id: string) => readonly string[];

  constructor(violatedBy: (id: string) => readonly string[]) {
    this.#violatedBy = violatedBy;
  }

  /** Remembers the record of a booking that was accepted against a rule for its members. */
  note(exchange: Exchange): void {
    if (exchange.operation !== 'wci.subscribe' || this.#violatedBy(exchange.id).length === 0) return;
    const rule = faultOfInput(exchange)?.rule;
    const id = sightsIn(exchange)[0]?.record.checkin_id;
    if (rule === undefined || typeof id !== 'string' || this.#records.size >= mostRecords) return;
    this.#records.set(id, rule);
  }

  /**
   * The rules whose breach may explain another one: those that the decisive request itself breaks, those that earlier answers of
   * the case break, and the one by which the shown record should have been refused.
   */
  of({ decisive, exchanges, at }: Shown): readonly string[] {
    const request = decisive !== null && isExchange(decisive) ? decisive : null;
    const fault = request === null ? undefined : faultOfInput(request)?.rule;
    const before = exchanges.length > longestCase ? [] : exchanges.filter(({ id }) => id !== decisive?.id);
    const made = request === null ? undefined : this.#records.get(recordIn(request, at) ?? '');
    const rules = [fault, ...before.flatMap(({ id }) => this.#violatedBy(id)), made];
    return [...new Set(rules.filter((rule) => rule !== undefined))];
  }
}

/** The checkin_id of the record that a finding is about: of a list element, or the only one in the answer. */
function recordIn(exchange: Exchange, place: string): string | null {
  const records = sightsIn(exchange);
  const at = /^data\[\d+\]/.exec(place)?.[0];
  const shown = exchange.operation === 'wci.list' ? records.find((one) => one.at === at) : records[0];
  const id = shown?.record.checkin_id;
  return typeof id === 'string' ? id : null;
}
