import { isDeepStrictEqual } from 'node:util';
import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type JsonObject,
  type Judgement,
  holds,
  holdsAs,
  valueAt,
  differs,
  is,
} from '../checks.ts';

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

  /** What was judged with it, and how late that was, for its verdict and as one of the classes of an open point. */
  observed(openPoint: string, judgement: Judgement, evidence: Exchange): Judgement {
    if (judgement.status !== 'holds') return judgement;
    const age = ages.find(({ mostS }) => this.#waitedS <= mostS)?.variant ?? 'a-minute';
    const after = this.#waitedS === 0 ? undefined : `after ${this.#waitedS} s`;
    this.#t.observe(openPoint, age, evidence, after);
    return after === undefined ? judgement : holdsAs(after);
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

/** Whether no value at these paths is as it was before upstream changed it; what stands in its place is a matter of other rules. */
export function staleNowhere(
  leg: AnswerObject | null,
  before: JsonObject,
  paths: readonly string[],
): Judgement {
  const stale = paths.find((path) => leg && isDeepStrictEqual(valueAt(leg, path), valueAt(before, path)));
  if (stale === undefined) return holds;
  return differs(
    'stale',
    stale,
    is.whose('the latest changes'),
    is.value(valueAt(before, stale), 'as before'),
  );
}
