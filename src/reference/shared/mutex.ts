/** Runs tasks of one name one after the other, tasks of different names side by side. */
export class Mutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(task, task);
    this.#tails.set(name, result);
    try {
      return await result;
    } finally {
      if (this.#tails.get(name) === result) this.#tails.delete(name);
    }
  }
}
