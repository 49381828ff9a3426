import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import { dateOf, responseOf } from '../judge/kernel/body.ts';
import { parseTimestamp } from '../judge/kernel/timestamp.ts';
import { shownRecords } from '../judge/webcheckin/records.ts';

/** Milliseconds that a clock may be ahead of ours, at least and at most. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/** Clocks that are nearer than this to each other agree: no check looks closer. */
const agreementMs = 60_000;
/** What a state handler that tells whole seconds after a while, and a header cut to seconds, may differ by on one clock. */
const onOneClockMs = 5_000;

/**
 * The deployment's wall clock, as far as it can be known. What its state handler says counts most. Without one, every `Date`
 * header narrows the range in which its offset from ours must lie; but a gateway may write that header, so that where it
 * contradicts our clock, a record of this run has to say which of the two is right, and until then it may be either.
 */
export class ServerClock {
  readonly #clock: Clock;
  #told: number | null = null;
  #moved = 0;
  #date: Range | null = null;
  #written: Range | null = null;
  /** When the subscribes were sent and answered that made records, while the clocks contradict each other. */
  readonly #made = new Map<string, Range>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The deployment's time; of two that it may be, the later one. */
  now(): number {
    return Math.max(...this.candidates());
  }

  /** What its clock may show, each in epoch milliseconds. */
  candidates(): readonly number[] {
    return this.#offsets().map((offset) => this.#clock.now() + offset);
  }

  /** Milliseconds that the deployment is ahead by its state handler, or else by its `Date` headers. */
  offset(): number {
    return this.#told ?? this.#dateOffset();
  }

  /**
   * Two witnesses agree to seconds: the state handler, and the `Date` headers, which may go by a clock that it does not move.
   * `isFollowed` says that all that depends on the time goes by the one that it moves.
   */
  isSure(isFollowed: boolean): boolean {
    const [told, date, moved] = [this.#told, this.#date, this.#moved];
    if (told === null || date === null || (moved !== 0 && !isFollowed)) return false;
    return [told, told - moved].some((offset) => isWithin(offset, date, onOneClockMs));
  }

  /** The state handler moved it by so much, and `set` says to what. */
  move(ms: number): void {
    if (!Number.isNaN(ms)) this.#moved += ms;
  }

  observe(exchange: Exchange): void {
    const response = responseOf(exchange);
    if (!response) return;
    const date = dateOf(response);
    const { sentAt, receivedAt } = exchange.timings;
    // The header is cut to whole seconds, and was written at some instant between sending and receiving.
    if (date !== null) this.#narrow({ low: date - receivedAt, high: date + 1000 - sentAt });
    if (this.#isDoubtful()) this.#learn(exchange);
  }

  /** The state handler said what time it is there. */
  set(now: number): void {
    if (!Number.isNaN(now)) this.#told = now - this.#clock.now();
  }

  #offsets(): readonly number[] {
    if (!this.#isDoubtful()) return [this.offset()];
    const both = [0, this.#dateOffset()];
    const written = this.#written;
    const fitting = both.filter((offset) => written !== null && isWithin(offset, written, 5 * agreementMs));
    return fitting.length === 1 ? fitting : both;
  }

  /** The smallest correction that explains every header. */
  #dateOffset(): number {
    const { low, high } = this.#date ?? { low: 0, high: 0 };
    return Math.min(Math.max(0, low), high);
  }

  #isDoubtful(): boolean {
    return this.#told === null && Math.abs(this.#dateOffset()) > agreementMs;
  }

  /** A header that contradicts the earlier ones is of a clock that has jumped. */
  #narrow({ low, high }: Range): void {
    const { low: lowest, high: highest } = this.#date ?? { low, high };
    const isJump = low > highest || high < lowest;
    this.#date = isJump ? { low, high } : { low: Math.max(lowest, low), high: Math.min(highest, high) };
  }

  /** created_at of a record of this run was written between its subscribe and the answer to it. */
  #learn(exchange: Exchange): void {
    const { sentAt, receivedAt } = exchange.timings;
    for (const { by, record } of shownRecords(exchange)) {
      const { checkin_id: id, message } = record;
      if (typeof id !== 'string') continue;
      if (by === 'subscribe' && message === 'SCHEDULED')
        this.#made.set(id, { low: sentAt, high: receivedAt });
      const made = this.#made.get(id);
      const createdAt = parseTimestamp(record.created_at);
      if (made && createdAt !== null)
        this.#written = { low: createdAt - made.high, high: createdAt - made.low };
    }
  }
}

function isWithin(offset: number, { low, high }: Range, slackMs: number): boolean {
  return offset >= low - slackMs && offset <= high + slackMs;
}
