import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import { dateOf, responseOf } from '../../judge/kernel/body.ts';
import { parseTimestamp } from '../../spec/kit/timestamp.ts';
import { nothingKnown, type Known } from '../../judge/kernel/oracle.ts';
import { RecentMap } from '../../judge/kernel/recentMap.ts';
import { sightsIn } from '../../spec/world/sights.ts';

/** How many milliseconds a clock may be ahead of ours, at least and at most. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Clocks that differ by less than this agree: no check looks closer. */
const agreementMs = 60_000;
/** How much a state handler that reports whole seconds after a while, and a header cut to seconds, may differ on one clock. */
const onOneClockMs = 5_000;
/** What jumps further than this is no clock that somebody set. */
const mostStepMs = 86_400_000;
/** What is further off, as by a header of the year 9999, is no clock: some years on, dates cannot be written any more. */
const mostOffMs = 10 * 366 * 86_400_000;

/** What is closer than this may be the same clock: a header is cut to seconds, and records are written a little earlier. */
const sameMs = 5 * agreementMs;
/** Most records whose created_at is waited for. */
const mostMade = 1000;

/**
 * The deployment's wall clock, as far as it can be known. What its state handler says counts most, unless that may be the handler
 * of another one. Without one, every `Date` header narrows the range of its offset from ours; but a gateway may write that header. So if it contradicts our clock, or
 * earlier runs moved the deployment's, a record of this run has to show which of them is right, and until then it may be any;
 * if the record shows yet another, it may be that one too. If the headers jump without the state handler, somebody may have
 * set the clock: until the handler tells the time again, it may be either as well.
 */
export class ServerClock {
  readonly #clock: Clock;
  readonly #book: Known;
  #told: number | null = null;
  /** Whether the state handler is known to be that of the deployment. */
  #isProven = false;
  #moved = 0;
  #date: Range | null = null;
  /** By how much the headers differed from what the state handler had told when both were known. */
  #bias: number | null = null;
  #written: Range | null = null;
  /** When the subscribes that made records were sent and answered. */
  readonly #made = new RecentMap<string, Range>(mostMade);

  /** The book says how far the state handler moved the clock, in earlier runs as well. */
  constructor(clock: Clock, book: Known = nothingKnown) {
    this.#clock = clock;
    this.#book = book;
  }

  get movedMs(): number {
    return this.#book.movedMs;
  }

  /** The deployment's time; if it may be one of two, what its own state handler told, or else the later one. */
  now(): number {
    if (this.#told === null || this.isDoubtful) return Math.max(...this.candidates());
    return this.#clock.now() + this.#told;
  }

  /** Whether the state handler, which may be that of another deployment, told a time that no answer of this one agrees with. */
  get isDoubtful(): boolean {
    const [told, bias, written] = [this.#told, this.#bias, this.#written];
    if (told === null || bias === null || this.#isProven || Math.abs(bias) <= agreementMs) return false;
    return written === null || !isWithin(told, written, sameMs);
  }

  /** By how many milliseconds it is ahead of ours, as its own state handler tells; null where none does. */
  get toldMs(): number | null {
    return this.#isProven ? this.#told : null;
  }

  /** The state handler is that of the deployment: its time counts, whatever clock the headers are written by. */
  prove(): void {
    this.#isProven = true;
  }

  /** The state handler is that of another deployment: its time says nothing. */
  disown(): void {
    this.#told = null;
    this.#bias = null;
    this.#moved = 0;
  }

  /** What its clock may show, in epoch milliseconds. */
  candidates(): readonly number[] {
    return this.offsets().map((offset) => this.#clock.now() + offset);
  }

  /** By how many milliseconds it may be ahead of ours. */
  offsets(): readonly number[] {
    if (this.#told === null) return this.#shown();
    const told = this.#withStep(this.#told);
    return this.isDoubtful ? [...new Set([...told, ...this.#shown()])] : told;
  }

  /** The same without the state handler. */
  #shown(): readonly number[] {
    const written = this.#written;
    const claimed = this.#claimed();
    if (written === null) return claimed;
    const fitting = claimed.filter((offset) => isWithin(offset, written, sameMs));
    if (fitting.length > 0) return fitting;
    const shown = Math.round((written.low + written.high) / 2);
    return Math.abs(shown) < mostStepMs ? [...claimed, shown] : claimed;
  }

  /** What the headers and the moves of the state handler claim: they need not know of each other. */
  #claimed(): readonly number[] {
    const [date, moved] = [this.#dateOffset(), this.movedMs];
    const isMoved = Math.abs(moved) > agreementMs;
    if (isMoved && Math.abs(date - moved) <= sameMs) return [date];
    return [...(Math.abs(date) > agreementMs ? [0] : []), date, ...(isMoved ? [date + moved] : [])];
  }

  /** How many milliseconds the deployment is ahead, by its state handler or else by its `Date` headers. */
  offset(): number {
    return this.#told ?? this.#dateOffset();
  }

  /**
   * Whether two sources agree to within seconds: the state handler, and the `Date` headers, which may use a clock that it does
   * not move. `isFollowed` says that everything that depends on time uses the clock that it moves.
   */
  isSure(isFollowed: boolean): boolean {
    const [told, date, moved] = [this.#told, this.#date, this.#moved];
    if (told === null || date === null || (moved !== 0 && !isFollowed)) return false;
    return [told, told - moved].some((offset) => isWithin(offset, date, onOneClockMs));
  }

  /** The state handler moved the clock by `ms`; `set` says to what time, if the handler does. */
  move(ms: number): void {
    if (Number.isNaN(ms)) return;
    this.#moved += ms;
    if (this.#told !== null) this.#told += ms;
  }

  observe(exchange: Exchange): void {
    const response = responseOf(exchange);
    if (!response) return;
    const date = dateOf(response);
    const { sentAt, receivedAt } = exchange.timings;
    // The header is cut to whole seconds, and was written at some time between sending and receiving.
    const isTime = date !== null && Math.abs(date - sentAt) < mostOffMs;
    if (isTime) this.#narrow({ low: date - receivedAt, high: date + 1000 - sentAt });
    if (this.#told !== null && this.#date !== null) this.#bias ??= this.#dateOffset() - this.#told;
    this.#learn(exchange);
  }

  /** The state handler reported its time. */
  set(now: number): void {
    if (!Number.isNaN(now)) this.#told = now - this.#clock.now();
  }

  /** By how much the headers have jumped without the state handler, and without following it. */
  #withStep(offset: number): readonly number[] {
    const [told, bias] = [this.#told, this.#bias];
    if (told === null || bias === null) return [offset];
    const [kept = 0, followed = 0] = [told - this.#moved, told].map(
      (expected) => this.#dateOffset() - bias - expected,
    );
    const step = Math.abs(kept) < Math.abs(followed) ? kept : followed;
    const isStep = Math.abs(step) > agreementMs && Math.abs(step) < mostStepMs;
    return isStep ? [offset, offset + step] : [offset];
  }

  /** The smallest correction that explains every header. */
  #dateOffset(): number {
    const { low, high } = this.#date ?? { low: 0, high: 0 };
    return Math.min(Math.max(0, low), high);
  }

  /** A header that contradicts earlier ones comes from a clock that has jumped. */
  #narrow({ low, high }: Range): void {
    const { low: lowest, high: highest } = this.#date ?? { low, high };
    // Most headers say nothing new.
    if (this.#date && low <= lowest && high >= highest) return;
    const isJump = low > highest || high < lowest;
    this.#date = isJump ? { low, high } : { low: Math.max(lowest, low), high: Math.min(highest, high) };
  }

  /** created_at of a record of this run was written between its subscribe and the answer. */
  #learn(exchange: Exchange): void {
    if (this.#made.size === 0 && exchange.operation !== 'wci.subscribe') return;
    const { sentAt, receivedAt } = exchange.timings;
    for (const { by, record } of sightsIn(exchange)) {
      const { checkin_id: id, message } = record;
      if (typeof id !== 'string') continue;
      if (by === 'subscribe' && message === 'SCHEDULED')
        this.#made.set(id, { low: sentAt, high: receivedAt });
      const made = this.#made.get(id);
      const createdAt = made ? parseTimestamp(record.created_at) : null;
      if (!made || createdAt === null) continue;
      this.#written = { low: createdAt - made.high, high: createdAt - made.low };
      this.#made.delete(id);
    }
  }
}

function isWithin(offset: number, { low, high }: Range, slackMs: number): boolean {
  return offset >= low - slackMs && offset <= high + slackMs;
}
