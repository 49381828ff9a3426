import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';

/** How long readings are kept, since clocks drift; within this time they drift by less than the error below. */
const keptMs = 60_000;
const driftMs = 50;

/**
 * The Redis clock, which all machines share: its reading lies between request and answer, so it is known to half of the quickest
 * round trip.
 */
export class SharedClock {
  readonly #redis: Pick<Redis, 'time'>;
  readonly #clock: Clock;
  #steppedMs = 0;
  #readings: { readonly offsetMs: number; readonly errorMs: number; readonly at: number }[] = [];

  constructor(redis: Pick<Redis, 'time'>, clock: Clock) {
    this.#redis = redis;
    this.#clock = clock;
  }

  /** Reads it a few times and keeps the best readings of the last minute, since clocks drift. */
  async measure(times = 3): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) {
      const asked = this.#clock.monotonic();
      const [seconds, micros] = await this.#redis.time();
      const heard = this.#clock.monotonic();
      const read = Number(seconds) * 1000 + Number(micros) / 1000 - (asked + heard) / 2;
      const errorMs = (heard - asked) / 2;
      this.#noteStep(read - this.#steppedMs, errorMs);
      this.#readings.push({ offsetMs: read - this.#steppedMs, errorMs, at: heard });
    }
    const now = this.#clock.monotonic();
    const recent = this.#readings.filter(({ at }) => at > now - keptMs);
    this.#readings = recent.length > 0 ? recent : this.#readings.slice(-1);
  }

  /** How far the Redis clock was set forward or back since the first reading, beyond what drift explains. */
  get steppedMs(): number {
    return this.#steppedMs;
  }

  /** Setting the clock forward or back meanwhile moves nothing: times continue as before. */
  #noteStep(offsetMs: number, errorMs: number): void {
    if (this.#readings.length === 0) return;
    const { shared } = this;
    const byMs = offsetMs - shared.offsetMs;
    if (Math.abs(byMs) > errorMs + shared.errorMs + driftMs) this.#steppedMs += byMs;
  }

  /** Offset to monotonic time, and its possible error. */
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
