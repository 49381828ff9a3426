/** More than any run of checks needs; a load of hours needs more. */
const mostKept = 50_000;

/** The latest of what an oracle remembers: memory stays the same however long a load lasts. Dropped entries are counted. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  #forgotten = 0;

  constructor(most: number = mostKept) {
    super();
    this.#most = most;
  }

  /** Number of dropped entries. If there are any, a missing entry proves nothing. */
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
