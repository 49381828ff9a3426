import fc from 'fast-check';
import type { Violation } from '../../judge/kernel/sample.ts';
import type { FailedCase } from './attemptResult.ts';
import { mostWaitingMs } from '../../plan/forecast.ts';
import type { CallbackWaits } from '../observe/callbacks.ts';

/** What a case broke, without its name and value. */
export type Failure = Omit<FailedCase, 'name' | 'generated'>;

/** How a property is generated. */
export type Generation<T> = fc.Parameters<[T]> & { readonly seed: number };

interface Search<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  readonly parameters: Generation<T>;
  readonly bounds: PropertyBounds;
  /** Runs one case; resolves to what it broke, or null. */
  readonly runCase: (value: T, isShrinking: boolean) => Promise<Failure | null>;
}

/** What a property came to. */
interface Found {
  /** The smallest failure that was found; null without one. */
  readonly failed: Omit<FailedCase, 'name'> | null;
  /** An interrupt, a budget or an error of the harness: no counterexample, but the end of the property. */
  readonly stopped: Error | null;
}

/** Runs a property and shrinks its first failure. Never rejects. */
export async function searchSmallest<T>(search: Search<T>): Promise<Found> {
  const { arbitrary, parameters, bounds, runCase } = search;
  let smallest: Failure | null = null;
  let stopped: Error | null = null;
  const predicate = async (value: T): Promise<boolean> => {
    if (stopped !== null || !bounds.admits()) return true;
    try {
      const failure = await runCase(value, smallest !== null);
      if (!failure || !isAbout(smallest?.violations, failure)) return true;
      if (!smallest) bounds.beginShrinking();
      smallest = failure;
      return false;
    } catch (error) {
      stopped = error instanceof Error ? error : new Error(String(error));
      return true;
    }
  };
  const details = await fc.check(fc.asyncProperty(arbitrary, predicate), parameters);
  return { failed: failedOf(smallest, details), stopped };
}

function failedOf<T>(failure: Failure | null, details: fc.RunDetails<[T]>): Found['failed'] {
  if (!failure || !details.counterexample) return null;
  const { counterexample, counterexamplePath: path, seed } = details;
  const [value] = counterexample;
  return { generated: { value, seed, path, text: fc.stringify(value) }, ...failure };
}

/** Shrinking stays with the rules that the first failure broke, so that a smaller failure is about the same thing. */
function isAbout(earlier: readonly Violation[] | undefined, { violations }: Failure): boolean {
  const broken = earlier?.map(({ requirement }) => requirement);
  return broken === undefined || violations.some(({ requirement }) => broken.includes(requirement));
}

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
