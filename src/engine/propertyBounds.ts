import { mostWaitingMs } from '../plan/forecast.ts';
import type { CallbackWaits } from './callbackWaits.ts';

interface PropertyCosts {
  /** Number of requests that the check has sent so far. */
  readonly requests: () => number;
  readonly waits: CallbackWaits;
  /** Number of cases that are run however long they take. */
  readonly minCases: number;
  /** Most requests for shrinking a failure. */
  readonly shrinkBudget: () => number;
}

/** Decides when a property ends before all its cases ran: because of the cost of shrinking, or of waits. */
export class PropertyBounds {
  readonly #costs: PropertyCosts;
  #lastRequest = Number.POSITIVE_INFINITY;
  #lastWaitMs = mostWaitingMs;
  #run = 0;
  #left = 0;

  constructor(costs: PropertyCosts) {
    this.#costs = costs;
  }

  /** Whether another case may start; counts those that may not. */
  admits(): boolean {
    const { requests, waits, minCases } = this.#costs;
    if (requests() >= this.#lastRequest) return false;
    const isAdmitted = this.#run < minCases || waits.ms < this.#lastWaitMs;
    if (isAdmitted) this.#run += 1;
    else this.#left += 1;
    return isAdmitted;
  }

  /** From now on, cases only shrink a failure. */
  beginShrinking(): void {
    const { requests, waits, shrinkBudget } = this.#costs;
    this.#lastRequest = requests() + shrinkBudget();
    this.#lastWaitMs = waits.ms + mostWaitingMs;
  }

  /** The message if waits left cases out; null if none were left out. */
  leftOut(): string | null {
    if (this.#left === 0) return null;
    const waited = Math.round(this.#costs.waits.ms / 1000);
    return `ran ${this.#run} of ${this.#run + this.#left} cases: it had waited ${waited} s for callbacks by then`;
  }
}
