/** Counts what a deployment has met, by name; each deployment has its own. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** Which one this is: 1 for the first of that name. */
  next(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}
