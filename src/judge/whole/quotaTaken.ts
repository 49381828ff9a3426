import type { Exchange } from '../../core/evidence.ts';
import { memberOf, responseOf } from '../kernel/body.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import * as is from '../../spec/kernel/value.ts';
import { sampleOf, type Sample } from '../kernel/sample.ts';

const overrun = 'WCI-QTA-010';
const units = 'WCI-QTA-001';
const incompleteUnits = 'WCI-QTA-002';

/** A quota that is shown may be this old without being wrong. */
const staleMs = 2000;

/** Most records of an enterprise that are counted. */
const mostMade = 100_000;

/**
 * Units seen are records made, and no more records are made than units are left. That too many units are taken can only be
 * said of an enterprise that nobody else subscribes for, which `isAlone` tells.
 */
export function quotaTakenBy(isAlone: (enterprise: string) => boolean): Oracle {
  return {
    id: 'quota-taken',
    title:
      'Over many subscribes at once, as many units are taken as records are made, and none beyond the quota',
    verifies: [overrun, units, incompleteUnits],
    createWatch: () => {
      const books = new Map<string, QuotaBook>();
      return {
        exchange: (exchange) => {
          const { enterprise, operation } = exchange;
          if (enterprise === null || operation !== 'wci.subscribe') return [];
          let book = books.get(enterprise);
          if (!book) books.set(enterprise, (book = new QuotaBook(isAlone(enterprise))));
          return book.add(exchange);
        },
        end: () => [...books.values()].flatMap((book) => book.end()),
        forgotten: () => [...books.values()].reduce((sum, { forgotten }) => sum + forgotten, 0),
      };
    },
  };
}

/** For enterprises that others may subscribe for as well. */
export const quotaTaken = quotaTakenBy(() => false);

/** The quota as one answer showed it. */
interface Shown {
  readonly exchange: Exchange;
  readonly included: number;
  readonly consumed: number;
}

/** The subscribes of one enterprise; it keeps a few numbers of each. */
class QuotaBook {
  readonly #made = new Set<string>();
  /** When new records were made: complete ones and others. */
  readonly #complete: Span[] = [];
  readonly #incomplete: Span[] = [];
  /** Subscribes that may have taken a unit: whether a repeated one does is open, and an error may come after it. */
  readonly #spending: Span[] = [];
  readonly #isAlone: boolean;
  /** New records that were certainly made after the quota was first shown. */
  #after = 0;
  #first: Shown | null = null;
  #last: Shown | null = null;
  /** The quota was changed or fell meanwhile, so the numbers cannot be compared any more. */
  #moved = false;
  #isOver = false;
  /** New records beyond those that are kept: counting fewer never causes a false violation. */
  forgotten = 0;

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone;
  }

  add(exchange: Exchange): readonly Sample[] {
    const shown = shownQuota(exchange);
    this.#note(exchange);
    if (shown !== null) this.#see(shown);
    return this.#judgeOverrun(exchange);
  }

  /** Judged once everything is known, by the quota that was read last. */
  end(): readonly Sample[] {
    const [first, last] = [this.#first, this.#last];
    if (first === null || last === null || first === last) return [];
    const evidence = [last.exchange, first.exchange];
    const complete = this.#judgeUnits(first, last, this.#complete);
    const all = this.#judgeUnits(first, last, [...this.#complete, ...this.#incomplete]);
    // If the complete ones alone are too many, the others add nothing.
    const isTold = complete.status !== 'violated' && this.#incomplete.length > 0;
    const exact = complete.status === 'holds' ? this.#judgeSurplus(first, last) : complete;
    return [
      { ...sampleOf(units, exact), evidence },
      ...(isTold ? [{ ...sampleOf(incompleteUnits, all), evidence }] : []),
    ];
  }

  #note(exchange: Exchange): void {
    const { sent, received } = exchange.timings;
    const status = responseOf(exchange)?.status ?? 500;
    if (this.#isAlone && (status === 200 || status >= 500)) this.#noteSpending({ sent, received });
    const id = memberOf(exchange, 'checkin_id');
    const isNew = responseOf(exchange)?.status === 200 && memberOf(exchange, 'message') === 'SCHEDULED';
    if (!isNew || typeof id !== 'string' || this.#made.has(id)) return;
    if (this.#made.size >= mostMade) {
      this.forgotten += 1;
      return;
    }
    this.#made.add(id);
    if (this.#first !== null && sent >= this.#first.exchange.timings.received) this.#after += 1;
    const isComplete = memberOf(exchange, 'sub_status') === 'COMPLETE_INFO';
    (isComplete ? this.#complete : this.#incomplete).push({ sent, received });
  }

  #noteSpending(span: Span): void {
    if (this.#spending.length >= mostMade) this.forgotten += 1;
    else this.#spending.push(span);
  }

  #see(shown: Shown): void {
    const first = (this.#first ??= shown);
    const { sent } = shown.exchange.timings;
    const isAfter = this.#last === null || sent > this.#last.exchange.timings.sent;
    if (shown.included !== first.included) this.#moved = true;
    if (shown.consumed < first.consumed && sent > first.exchange.timings.received) this.#moved = true;
    if (isAfter) this.#last = shown;
  }

  /** More records than units were left, all of them certainly made after the quota was shown. */
  #judgeOverrun(exchange: Exchange): readonly Sample[] {
    const first = this.#first;
    if (first === null || this.#moved || first.included < 0 || first.exchange === exchange) return [];
    const left = Math.max(0, first.included - first.consumed);
    if (this.#after <= left) return [sampleOf(overrun, holds)];
    if (this.#isOver) return [];
    this.#isOver = true;
    const since = `since ${first.consumed} of ${first.included} units were consumed before`;
    const want = is.text(`at most ${left} new records, ${since}`);
    const got = is.text(`${this.#after} new records`);
    const because = [first.exchange, exchange];
    return [
      {
        ...sampleOf(overrun, violated('overrun', { at: 'quota', want, got, because })),
        evidence: [exchange, first.exchange],
      },
    ];
  }

  /** More units than the subscribes in between can have taken, if all subscribes of the enterprise are known. */
  #judgeSurplus(first: Shown, last: Shown): Judgement {
    if (!this.#isAlone || this.forgotten > 0) return holds;
    const [from, until] = [first.exchange.timings.sent - staleMs, last.exchange.timings.received];
    const most = this.#spending.filter(({ sent, received }) => received >= from && sent <= until).length;
    const taken = last.consumed - first.consumed;
    if (taken <= most) return holds;
    return violated('surplus-units', rise(first, last, `at most ${most}, one for each subscribe meanwhile`));
  }

  #judgeUnits(first: Shown, last: Shown, made: readonly Span[]): Judgement {
    const from = first.exchange.timings.received;
    const until = last.exchange.timings.sent - staleMs;
    const certain = made.filter(({ sent, received }) => sent >= from && received <= until).length;
    if (this.#moved || first.included !== last.included)
      return unclear('the quota was changed while the load went on');
    if (certain === 0)
      return unclear('no record was made long enough between two answers that show the quota');
    const taken = last.consumed - first.consumed;
    if (taken >= certain) return holds;
    const due = `at least ${certain}, one for each record made meanwhile`;
    return violated('lost-units', rise(first, last, due));
  }
}

/** How much the consumed units rose, beside how much they should have risen. */
function rise(first: Shown, last: Shown, due: string) {
  return {
    at: 'quota.consumed_units',
    want: is.text(`consumed_units to rise by ${due}`),
    got: is.noted(is.value(last.consumed), `${last.consumed - first.consumed} more than before`),
    because: [first.exchange, last.exchange],
  };
}

interface Span {
  readonly sent: number;
  readonly received: number;
}

function shownQuota(exchange: Exchange): Shown | null {
  const consumed = memberOf(exchange, 'quota', 'consumed_units');
  const included = memberOf(exchange, 'quota', 'included_units');
  const isShown = responseOf(exchange)?.status === 200;
  if (!isShown || typeof consumed !== 'number' || typeof included !== 'number') return null;
  return { exchange, included, consumed };
}
