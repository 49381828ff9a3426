/** More than any run of checks meets; a load of hours meets more. */
const mostKept = 50_000;

/** What an oracle has in mind, the latest of it: memory stays the same however long a load lasts. Forgotten entries are counted. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  #forgotten = 0;

  constructor(most: number = mostKept) {
    super();
    this.#most = most;
  }

  /** Entries that had to go. Where there are any, that something is not in mind says nothing. */
  get forgotten(): number {
    return this.#forgotten;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#most && !this.has(key)) {
      for (const oldest of this.keys()) {
        this.delete(oldest);
        break;
      }
      this.#forgotten += 1;
    }
    return super.set(key, value);
  }
}
