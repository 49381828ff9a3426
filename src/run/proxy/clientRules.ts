/** What a client does that the documents ask it not to do. */
export class ClientRules {
  /** Until when each key has to wait. */
  readonly #until = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  /** What each fault of the client is called, and how often it came. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** A request of the client, before it is answered. */
  request(key: string | null, at: number): readonly string[] {
    const until = this.#until.get(key ?? '');
    if (until === undefined) return [];
    const early = until - at;
    if (early <= 0) this.#until.delete(key ?? '');
    // Requests that were under way already when the 429 came are no fault.
    return early > 0 ? [this.#note('sent again before retryAfter was over')] : [];
  }

  /** The answer that the client got, of the target or of the proxy. */
  wait(key: string | null, at: number, seconds: number): void {
    if (seconds > 0 && seconds <= longestWait && this.#until.size < mostKeys)
      this.#until.set(key ?? '', at + seconds * 1000);
  }

  /** What the client answered to a callback (Events): only a 2xx says that it was taken. */
  callback(status: number | null): readonly string[] {
    if (status !== null && status >= 200 && status < 300) return [];
    return [this.#note(status === null ? 'did not answer a callback' : 'refused a callback')];
  }

  #note(what: string): string {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    return `client ${what}`;
  }
}

const longestWait = 3600;
const mostKeys = 1000;
