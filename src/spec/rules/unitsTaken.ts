import type { Exchange } from '../../core/evidence.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Wrong, Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { shownIn, type Units } from '../world/units.ts';

/** A quota that is shown may be this old without being wrong. */
const staleMs = 2000;
/** Most subscribes of an enterprise that are counted. */
const mostCounted = 100_000;

/** What a subscribe made; `unsure` may have taken a unit all the same: whether a repeated one does is open, and an error may come after it. */
type Made = 'complete' | 'incomplete' | 'unsure';

interface Span {
  readonly made: Made;
  readonly sent: number;
  readonly received: number;
}

interface Shown extends Units {
  readonly by: Exchange;
}

/** Over many subscribes at once, units seen are records made, and no more records are made than units are left. */
export class UnitsTaken {
  readonly #made = new Set<string>();
  readonly #spans: Span[] = [];
  /** Whether nobody else subscribes for the enterprise: only then can too many units be taken. */
  readonly #isAlone: boolean;
  /** New records that were certainly made after the quota was first shown. */
  #after = 0;
  #first: Shown | null = null;
  #last: Shown | null = null;
  /** The quota was changed or fell meanwhile, so the numbers cannot be compared any more. */
  #isMoved = false;
  #isOver = false;
  /** Beyond those that are kept: counting fewer blames nobody. */
  forgotten = 0;

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone;
  }

  judge(call: Call): readonly Said[] {
    this.#note(call);
    const units = shownIn(call);
    if (units) this.#see({ ...units, by: call.exchange });
    return this.#judgeOverrun(call.exchange);
  }

  /** Judged once everything is known, by the quota that was read last. */
  end(): readonly Said[] {
    const [first, last] = [this.#first, this.#last];
    if (!first || !last || first === last || this.#isMoved || first.included !== last.included) return [];
    const [complete, all] = (['complete', null] as const).map((made) => this.#judgeLost(first, last, made));
    // If the complete ones alone are too many, the others add nothing.
    if (complete?.[0]?.[1]) return complete;
    const surplus = complete?.length === 1 ? this.#surplus(first, last) : null;
    const hasIncomplete = this.#spans.some(({ made }) => made === 'incomplete');
    return [
      ...(surplus ? [['WCI-QTA-001', surplus] as const] : (complete ?? [])),
      ...(hasIncomplete ? (all ?? []) : []),
    ];
  }

  #note({ status, answer, exchange: { timings } }: Call): void {
    const { message, checkin_id: id, sub_status } = isObject(answer) ? answer : {};
    const isNew = status === 200 && message === 'SCHEDULED' && typeof id === 'string' && !this.#made.has(id);
    const isUnsure = this.#isAlone && (status === null || status === 200 || status >= 500);
    if (!isNew && !isUnsure) return;
    if (this.#spans.length >= mostCounted) {
      this.forgotten += 1;
      return;
    }
    if (isNew) this.#made.add(id);
    if (isNew && this.#first && timings.sent >= this.#first.by.timings.received) this.#after += 1;
    const made = !isNew ? 'unsure' : sub_status === 'COMPLETE_INFO' ? 'complete' : 'incomplete';
    this.#spans.push({ made, sent: timings.sent, received: timings.received });
  }

  #see(shown: Shown): void {
    const first = (this.#first ??= shown);
    const { sent } = shown.by.timings;
    const isFallen = shown.consumed < first.consumed && sent > first.by.timings.received;
    if (shown.included !== first.included || isFallen) this.#isMoved = true;
    if (!this.#last || sent > this.#last.by.timings.sent) this.#last = shown;
  }

  /** More records than units were left, all of them certainly made after the quota was shown. */
  #judgeOverrun(exchange: Exchange): readonly Said[] {
    const first = this.#first;
    if (!first || this.#isMoved || first.included < 0 || first.by === exchange) return [];
    const left = Math.max(0, first.included - first.consumed);
    if (this.#after <= left) return [['WCI-QTA-010', null]];
    if (this.#isOver) return [];
    this.#isOver = true;
    const since = `since ${first.consumed} of ${first.included} units were consumed before`;
    const want = is.text(`at most ${left} new records, ${since}`);
    const got = is.text(`${this.#after} new records`);
    return [['WCI-QTA-010', { code: 'overrun', at: 'quota', want, got, because: [first.by, exchange] }]];
  }

  /** Fewer units than records that were certainly made between two answers that show the quota. */
  #judgeLost(first: Shown, last: Shown, only: 'complete' | null): readonly Said[] {
    const from = first.by.timings.received;
    const until = last.by.timings.sent - staleMs;
    const certain = this.#spans.filter(
      ({ made, sent, received }) =>
        made !== 'unsure' && (only ?? made) === made && sent >= from && received <= until,
    ).length;
    if (certain === 0) return [];
    const isLost = last.consumed - first.consumed < certain;
    const due = `at least ${certain}, one for each record made meanwhile`;
    return [[only ? 'WCI-QTA-001' : 'WCI-QTA-002', isLost ? rise('lost-units', first, last, due) : null]];
  }

  /** More units than the subscribes in between can have taken, if all subscribes of the enterprise are known. */
  #surplus(first: Shown, last: Shown): Wrong | null {
    if (!this.#isAlone || this.forgotten > 0) return null;
    const [from, until] = [first.by.timings.sent - staleMs, last.by.timings.received];
    const most = this.#spans.filter(({ sent, received }) => received >= from && sent <= until).length;
    const due = `at most ${most}, one for each subscribe meanwhile`;
    return last.consumed - first.consumed > most ? rise('surplus-units', first, last, due) : null;
  }
}

/** How much the consumed units rose, beside how much they should have risen. */
function rise(code: string, first: Shown, last: Shown, due: string) {
  return {
    ...{ code, at: 'quota.consumed_units', want: is.text(`consumed_units to rise by ${due}`) },
    got: is.noted(is.value(last.consumed), `${last.consumed - first.consumed} more than before`),
    because: [first.by, last.by],
  };
}
