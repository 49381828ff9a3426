/**
 * Closes what belongs together, the latest first. Each is closed once, however often that is asked for; a failure does not keep
 * the others open.
 */
export class Scope {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | null = null;

  /** Registers something that is open; returns it. */
  use<T>(open: T, close: (open: T) => unknown): T {
    this.#closers.push(() => close(open));
    return open;
  }

  /** Runs this when the scope closes. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Rejects with the first failure, once everything is closed. */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
