/** Counts changes, and wakes whoever waits for the next one. */
export class ChangeSignal {
  readonly #waiting = new Set<() => void>();
  #version = 0;

  /** Number of changes so far. */
  get version(): number {
    return this.#version;
  }

  changed(): void {
    this.#version += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves once the version differs from `seen`, or the signal aborts. */
  async after(seen: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || seen !== this.#version) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
