/** A lock for the target's clock: requests and waits share it, a move of the clock has it alone. */
export class MoveLock {
  #shared = 0;
  #move: Promise<void> | null = null;
  #onQuiet: (() => void)[] = [];

  /** Does what must not meet a move. */
  during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#move) return this.#move.then(() => this.during(work));
    const done = work();
    this.#shared += 1;
    void done.then(this.#leave, this.#leave);
    return done;
  }

  readonly #leave = (): void => {
    this.#shared -= 1;
    if (this.#shared === 0) for (const go of this.#onQuiet.splice(0)) go();
  };

  /** Moves the clock as soon as nothing is under way. */
  async alone(move: () => Promise<void>): Promise<void> {
    while (this.#shared > 0 || this.#move) await (this.#move ?? this.#quiet());
    this.#move = move().finally(() => (this.#move = null));
    await this.#move;
  }

  #quiet(): Promise<void> {
    return new Promise((resolve) => this.#onQuiet.push(resolve));
  }
}
