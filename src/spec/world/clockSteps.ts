import type { Step } from '../../trace/evidence.ts';

/** Times that a handler tells are cut to seconds. */
const leastMs = 5_000;

/** Notices that somebody else has moved the deployment's clock: a step finds it further ahead than the steps of the trace account for. */
export class ClockSteps {
  #movedMs: number;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(movedMs: number) {
    this.#movedMs = movedMs;
  }

  /** Since when the clock may have been another one than was known, in epoch milliseconds; null where nobody else has moved it. */
  step({ operation, params, movedMs, endedAt, told, outcome }: Step): number | null {
    const own = operation === 'clock.advance' && outcome === 'done' ? Number(params?.seconds) * 1000 : 0;
    const isForeign = movedMs - this.#movedMs - own > leastMs;
    const since = this.#toldAt;
    this.#movedMs = movedMs;
    if (typeof told.now === 'string') this.#toldAt = endedAt;
    return isForeign ? since : null;
  }
}
