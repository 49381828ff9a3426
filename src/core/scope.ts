/**
 * What has to be closed together, the latest first. It is closed once, however often that is asked for; what fails to close
 * keeps nothing else open.
 */
export class Scope {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | null = null;

  /** Takes something that is open; returns it. */
  use<T>(open: T, close: (open: T) => unknown): T {
    this.#closers.push(() => close(open));
    return open;
  }

  /** Does this at the end. */
  defer(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Rejects with the first failure, once all is closed. */
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
