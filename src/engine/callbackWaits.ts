import type { Callbacks } from './callbacks.ts';

/** How long a check has waited for callbacks, in milliseconds of the run's time. */
export class CallbackWaits {
  readonly #monotonic: () => number;
  #ms = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  get ms(): number {
    return this.#ms;
  }

  /** The same callbacks, which also count the time of their waits. */
  of(callbacks: Callbacks): Callbacks {
    return {
      ...callbacks,
      wait: (...given) => this.#timed(callbacks.wait(...given)),
      settle: (...given) => this.#timed(callbacks.settle(...given)),
    };
  }

  async #timed<T>(waiting: Promise<T>): Promise<T> {
    const start = this.#monotonic();
    try {
      return await waiting;
    } finally {
      this.#ms += this.#monotonic() - start;
    }
  }
}
