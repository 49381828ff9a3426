import type { CheckContext, Exchange } from '../checks.ts';

/**
 * Asks again for a minute in all: how long upstream data may be cached is not stated. A minute is waited once: to confirm what
 * a case showed after it, ten seconds do.
 */
export class Patience {
  readonly #t: CheckContext;
  readonly #pauses: number[];
  #waitedS = 0;

  constructor(t: CheckContext) {
    this.#t = t;
    this.#pauses = t.isRepeat ? [2, 3, 5] : [2, 3, 25, 30];
  }

  /** Takes note of how late an answer was up to date, as one of the classes of an open point. */
  observe(openPoint: string, evidence: Exchange): void {
    const age = ages.find(({ mostS }) => this.#waitedS <= mostS)?.variant ?? 'a-minute';
    this.#t.observe(openPoint, age, evidence, this.#waitedS === 0 ? undefined : `after ${this.#waitedS} s`);
  }

  /** The last answer: the first one that is enough, or whatever comes once patience is at its end. */
  async askedUntil<T>(ask: () => Promise<T>, isEnough: (seen: T) => boolean): Promise<T> {
    for (;;) {
      const seen = await ask();
      const pause = isEnough(seen) ? undefined : this.#pauses.shift();
      if (pause === undefined) return seen;
      await this.#t.sleep(pause * 1000);
      this.#waitedS += pause;
    }
  }
}

/** How old an answer may be, by the variants of the open points. */
const ages = [
  { mostS: 0, variant: 'current' },
  { mostS: 5, variant: 'seconds' },
  { mostS: 30, variant: 'half-a-minute' },
] as const;
