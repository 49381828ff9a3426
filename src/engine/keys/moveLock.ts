/** A lock for the target's clock: requests and waits share it, a move of the clock has it alone. */
export class MoveLock {
  #shared = 0;
  #move: Promise<void> | null = null;
  /** Moves that wait until nothing is under way. */
  readonly #waiting: (() => void)[] = [];

  /** Does what must not meet a move. Not an async function, since every request comes here. */
  during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#move) {
      const again = () => this.during(work);
      return this.#move.then(again, again);
    }
    const done = work();
    this.#shared += 1;
    void done.then(this.#leave, this.#leave);
    return done;
  }

  readonly #leave = (): void => {
    this.#shared -= 1;
    this.#next();
  };

  /** Moves the clock as soon as nothing is under way, and before whatever comes then. */
  alone(move: () => Promise<void>): Promise<void> {
    if (this.#shared === 0 && !this.#move) return this.#start(move);
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => void this.#start(move).then(resolve, reject));
    });
  }

  #start(move: () => Promise<void>): Promise<void> {
    this.#move = move().finally(() => {
      this.#move = null;
      this.#next();
    });
    return this.#move;
  }

  #next(): void {
    if (this.#shared === 0 && !this.#move) this.#waiting.shift()?.();
  }
}
