import { mostWaitingMs } from '../plan/forecast.ts';
import type { CallbackWaits } from './callbackWaits.ts';

interface PropertyCosts {
  /** Requests that the check has sent so far. */
  readonly requests: () => number;
  readonly waits: CallbackWaits;
  /** Cases that are run whatever they take. */
  readonly minCases: number;
  /** Requests that shrinking a failure may cost. */
  readonly shrinkBudget: () => number;
}

/** Where a property ends before its cases do: for what shrinking costs, and for waits. */
export class PropertyBounds {
  readonly #costs: PropertyCosts;
  #lastRequest = Number.POSITIVE_INFINITY;
  #lastWaitMs = mostWaitingMs;
  #run = 0;
  #left = 0;

  constructor(costs: PropertyCosts) {
    this.#costs = costs;
  }

  /** Whether a further case may begin; one that may not is counted. */
  admits(): boolean {
    const { requests, waits, minCases } = this.#costs;
    if (requests() >= this.#lastRequest) return false;
    const isAdmitted = this.#run < minCases || waits.ms < this.#lastWaitMs;
    if (isAdmitted) this.#run += 1;
    else this.#left += 1;
    return isAdmitted;
  }

  /** From here on cases only shrink a failure. */
  beginShrinking(): void {
    const { requests, waits, shrinkBudget } = this.#costs;
    this.#lastRequest = requests() + shrinkBudget();
    this.#lastWaitMs = waits.ms + mostWaitingMs;
  }

  /** What to say where waits left cases out; null where they left none out. */
  leftOut(): string | null {
    if (this.#left === 0) return null;
    const waited = Math.round(this.#costs.waits.ms / 1000);
    return `ran ${this.#run} of ${this.#run + this.#left} cases: it had waited ${waited} s for callbacks by then`;
  }
}
