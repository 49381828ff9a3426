import type { Clock } from '../core/clock.ts';

/** How long an instance usually takes to restart. */
const recoveryMs = 2_000;
/** Waiting for longer than a deployment takes to be rolled out is in vain: a network that breaks again and again goes on doing so. */
const mostMs = 20_000;

/**
 * Waits as long as a disturbance may last, before a check that was disturbed is run again. Of all waits of a run only the first
 * `mostMs` are waited; those at the same time count once.
 */
export class Recovery {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #signal: AbortSignal;
  #until = Number.NEGATIVE_INFINITY;
  #waitedMs = 0;

  constructor(clock: Pick<Clock, 'monotonic' | 'sleep'>, signal: AbortSignal) {
    [this.#clock, this.#signal] = [clock, signal];
  }

  /** Resolves when the check may be run again, or the run has ended. */
  async wait(): Promise<void> {
    if (this.#waitedMs >= mostMs) return;
    const now = this.#clock.monotonic();
    this.#waitedMs += now + recoveryMs - Math.max(now, this.#until);
    this.#until = now + recoveryMs;
    await this.#clock.sleep(recoveryMs, this.#signal).catch(() => undefined);
  }
}
