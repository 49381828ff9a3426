import type { Step } from '../../trace/evidence.ts';

/** A moment in a trace: several things may have the same time. */
export interface Mark {
  readonly at: number;
  readonly looks: number;
}

/** Until when all events are known to be delivered: a state handler tells how many are still to be. */
export class Outbox {
  #looks = 0;
  /** The first of the latest looks in a row that found nothing; null after one that found something. */
  #empty: Mark | null = null;
  /** The same, confirmed by a second look: one may fall between a change and its queueing. */
  #settled: Mark = { at: Number.NEGATIVE_INFINITY, looks: 0 };

  note({ operation, outcome, told, startedAt }: Step): void {
    if (operation !== 'callbacks.pending') return;
    this.#looks += 1;
    const isEmpty = outcome === 'done' && told.pending === 0;
    if (isEmpty && this.#empty) this.#settled = this.#empty;
    this.#empty = isEmpty ? { at: startedAt, looks: this.#looks } : null;
  }

  /** The moment at which something was done. */
  mark(at: number): Mark {
    return { at, looks: this.#looks };
  }

  /** Whether all events of what was done by then are delivered or given up. */
  isEmptySince({ at, looks }: Mark): boolean {
    return this.#settled.at >= at && this.#settled.looks > looks;
  }
}
