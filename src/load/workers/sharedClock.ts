import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';

/**
 * The clock of Redis, which all machines share: its reading lies between asking and hearing, so that it is known to half
 * of the quickest round trip.
 */
export class SharedClock {
  readonly #redis: Pick<Redis, 'time'>;
  readonly #clock: Clock;
  #readings: { readonly offsetMs: number; readonly errorMs: number; readonly at: number }[] = [];

  constructor(redis: Pick<Redis, 'time'>, clock: Clock) {
    this.#redis = redis;
    this.#clock = clock;
  }

  /** Asks a few times and keeps the best readings of the last minute, since clocks drift. */
  async measure(times = 3): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) {
      const asked = this.#clock.monotonic();
      const [seconds, micros] = await this.#redis.time();
      const heard = this.#clock.monotonic();
      const offsetMs = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + heard) / 2;
      this.#readings.push({ offsetMs, errorMs: (heard - asked) / 2, at: heard });
    }
    const now = this.#clock.monotonic();
    this.#readings = this.#readings.filter(({ at }) => at > now - 60_000);
  }

  /** What to add to monotonic time, and how far that may be off. */
  get shared(): { readonly offsetMs: number; readonly errorMs: number } {
    const [best] = this.#readings.toSorted((one, other) => one.errorMs - other.errorMs);
    return best ?? { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  }

  /** The monotonic time of an instant of the shared clock. */
  toMonotonic(sharedMs: number): number {
    return sharedMs - this.shared.offsetMs;
  }

  now(): number {
    return this.#clock.monotonic() + this.shared.offsetMs;
  }
}
