import { NoRoom } from './signals.ts';

interface SharedFixtureRules<T> {
  readonly isGood?: (value: T) => boolean;
  readonly isTired?: (value: T, requests: number) => boolean;
  /** Called with what a check gets, and its number of requests. */
  readonly onUse?: (value: T, requests: number) => void;
}

/** Something that checks share, made on first use; a failure is shared as well. */
export class SharedFixture<T> {
  readonly #make: () => Promise<T>;
  readonly #isGood: (value: T) => boolean;
  readonly #isTired: (value: T, requests: number) => boolean;
  readonly #onUse: (value: T, requests: number) => void;
  #made: Promise<T> | null = null;

  /**
   * It is made again when it is no longer good. When it is too tired for the requests of a check, it is made again for checks
   * that have not started to use it.
   */
  constructor(
    make: () => Promise<T>,
    { isGood = () => true, isTired = () => false, onUse = () => undefined }: SharedFixtureRules<T>,
  ) {
    this.#make = make;
    this.#isGood = isGood;
    this.#isTired = isTired;
    this.#onUse = onUse;
  }

  /** For one check with this many requests, which gets the same value each time. */
  forCheck(requests: number): () => Promise<T> {
    let own: Promise<T> | null = null;
    return async () => {
      const value = await (own ??= this.get(requests));
      return this.#isGood(value) ? value : (own = this.get(requests));
    };
  }

  async get(requests = 0): Promise<T> {
    const asked = (this.#made ??= this.#make());
    const value = await asked.catch((error: unknown) => {
      // Later there will be room.
      if (error instanceof NoRoom && this.#made === asked) this.#made = null;
      throw error;
    });
    if (this.#isGood(value) && !this.#isTired(value, requests)) return this.#use(value, requests);
    // If several callers find it no longer good, the first one makes another.
    if (this.#made === asked) this.#made = this.#make();
    return this.#use(await this.#made, requests);
  }

  /** At once, so that the next caller knows of it. */
  #use(value: T, requests: number): T {
    this.#onUse(value, requests);
    return value;
  }
}
