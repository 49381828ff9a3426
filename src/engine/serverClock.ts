import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import { headerOf, responseOf } from '../judge/kernel/body.ts';

/**
 * The deployment's wall clock, as far as it can be known: every `Date` header narrows the interval in which its offset
 * from ours must lie. Without any, both clocks are taken to agree.
 */
export class ServerClock {
  readonly #clock: Clock;
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.offset();
  }

  /** Milliseconds that the deployment is ahead: the smallest correction that explains what was seen. */
  offset(): number {
    return Math.min(Math.max(0, this.#lowest), this.#highest);
  }

  observe(exchange: Exchange): void {
    const response = responseOf(exchange);
    const date = response && Date.parse(headerOf(response, 'date') ?? '');
    if (date === null || Number.isNaN(date)) return;
    // The header is cut to whole seconds, and was written at some instant between sending and receiving.
    const lowest = date - exchange.timings.receivedAt;
    const highest = date + 1000 - exchange.timings.sentAt;
    if (lowest > this.#highest || highest < this.#lowest) [this.#lowest, this.#highest] = [lowest, highest];
    else [this.#lowest, this.#highest] = [Math.max(this.#lowest, lowest), Math.min(this.#highest, highest)];
  }

  /** The state handler said what time it is there. */
  set(now: number): void {
    if (Number.isNaN(now)) return;
    this.#lowest = this.#highest = now - this.#clock.now();
  }
}
