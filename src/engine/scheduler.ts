/** Something to do; `alone` lets nothing else run beside it. */
export interface Task {
  readonly alone: boolean;
  readonly run: () => Promise<void>;
}

/**
 * Runs tasks, at most `width` at a time, in order; a task that wants to be alone waits for the others and they for it.
 * Resolves when all are done; rejects with the first error, after the tasks under way have ended.
 */
export class Scheduler {
  readonly #width: number;
  readonly #queue: Task[] = [];
  #running = 0;
  #alone = false;
  #failure: { readonly error: unknown } | null = null;
  #idle: (() => void)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(task: Task): void {
    this.#queue.push(task);
    this.#start();
  }

  /** Resolves when nothing is running or waiting. */
  async idle(): Promise<void> {
    if (this.#running > 0 || this.#queue.length > 0)
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#failure) throw this.#failure.error;
  }

  #start(): void {
    for (let next = this.#queue[0]; next && this.#mayStart(next); next = this.#queue[0]) {
      this.#queue.shift();
      this.#alone = next.alone;
      this.#running += 1;
      void this.#run(next);
    }
    if (this.#running === 0 && this.#queue.length === 0)
      for (const resolve of this.#idle.splice(0)) resolve();
  }

  #mayStart(task: Task): boolean {
    if (this.#alone) return false;
    return task.alone ? this.#running === 0 : this.#running < this.#width;
  }

  async #run(task: Task): Promise<void> {
    try {
      await task.run();
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#running -= 1;
      if (task.alone) this.#alone = false;
      this.#start();
    }
  }
}
