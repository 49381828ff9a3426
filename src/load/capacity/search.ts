/** The result of one trial at a rate. */
export interface Trial {
  readonly ratePerSecond: number;
  readonly held: boolean;
}

interface SearchOptions<T extends Trial> {
  readonly startPerSecond: number;
  readonly mostPerSecond: number;
  /** Lower rates are not tried: such a trial would contain almost no requests. */
  readonly leastPerSecond: number;
  /** Number of trials at the final rate, all of which have to sustain it. */
  readonly repeats: number;
  /** Most trials in total. */
  readonly mostTrials: number;
  /** How close the sustained and the failed rate have to be: 1.1 for a tenth. */
  readonly closeness: number;
  /** Runs a trial; null if no further one may be made. */
  readonly trial: (ratePerSecond: number) => Promise<T | null>;
}

/** The rates between which the highest sustained one lies, and how certain that is. */
export interface FoundRates<T extends Trial> {
  /** Null if not even the lowest rate was sustained. */
  readonly heldPerSecond: number | null;
  /** Null if the highest allowed rate was sustained. */
  readonly brokenPerSecond: number | null;
  readonly trials: readonly T[];
  /** Whether the search was completed. */
  readonly isWhole: boolean;
}

/** Searches the highest sustained rate: doubles or halves until it is bracketed, then halves the interval, then repeats. */
export async function searchCapacity<T extends Trial>(options: SearchOptions<T>): Promise<FoundRates<T>> {
  const search = new Search(options);
  await search.bracket(options.startPerSecond);
  await search.bisect();
  await search.repeat();
  return search.found;
}

class Search<T extends Trial> {
  readonly #options: SearchOptions<T>;
  readonly #trials: T[] = [];
  #held: number | null = null;
  #broken: number | null = null;
  #stopped = false;

  constructor(options: SearchOptions<T>) {
    this.#options = options;
  }

  get found(): FoundRates<T> {
    return {
      heldPerSecond: this.#held,
      brokenPerSecond: this.#broken,
      trials: this.#trials,
      isWhole: !this.#stopped,
    };
  }

  async bracket(fromPerSecond: number): Promise<void> {
    const { mostPerSecond, leastPerSecond } = this.#options;
    for (let rate = fromPerSecond; !this.#stopped;) {
      await this.#try(rate);
      const [held, broken] = [this.#held, this.#broken];
      if (held !== null && (broken !== null || held >= mostPerSecond)) return;
      if (held === null && rate <= leastPerSecond) return;
      rate = held === null ? Math.max(leastPerSecond, rate / 2) : Math.min(mostPerSecond, rate * 2);
    }
  }

  async bisect(): Promise<void> {
    for (;;) {
      const [held, broken] = [this.#held, this.#broken];
      if (this.#stopped || held === null || broken === null) return;
      if (broken / held <= this.#options.closeness) return;
      await this.#try(Math.sqrt(held * broken));
    }
  }

  /** A rate that is sustained only by chance does not count: the search continues below it. */
  async repeat(): Promise<void> {
    const { repeats, leastPerSecond } = this.#options;
    for (;;) {
      const rate = this.#held;
      if (this.#stopped || rate === null) return;
      const own = this.#trials.filter((one) => one.ratePerSecond === rate);
      if (own.length >= repeats) return;
      await this.#try(rate);
      if (this.#held === rate) continue;
      // If nothing below was tried, a lower rate is searched first.
      if (this.#held === null && rate > leastPerSecond)
        await this.bracket(Math.max(leastPerSecond, rate / 2));
      await this.bisect();
    }
  }

  async #try(rate: number): Promise<void> {
    const { trial, mostTrials } = this.#options;
    const one = this.#trials.length >= mostTrials ? null : await trial(rate);
    if (one === null) {
      this.#stopped = true;
      return;
    }
    this.#trials.push(one);
    this.#settle();
  }

  /** A rate is sustained if every trial of it was; rates above a failed one do not count. */
  #settle(): void {
    const rates = [...new Set(this.#trials.map(({ ratePerSecond }) => ratePerSecond))].sort((a, b) => a - b);
    const isHeld = (rate: number) => this.#trials.every((one) => one.ratePerSecond !== rate || one.held);
    this.#broken = rates.find((rate) => !isHeld(rate)) ?? null;
    const broken = this.#broken;
    this.#held = rates.findLast((rate) => isHeld(rate) && (broken === null || rate < broken)) ?? null;
  }
}

/**
 * How certain it is that a rate is sustained: if only half of all trials succeeded, this many in a row would succeed by chance
 * this rarely.
 */
export function confidenceOf(trials: readonly Trial[], ratePerSecond: number | null): number {
  const own = trials.filter((one) => one.ratePerSecond === ratePerSecond);
  return own.length === 0 ? 0 : 1 - 0.5 ** own.length;
}
