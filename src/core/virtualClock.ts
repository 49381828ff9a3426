import type { Clock } from './clock.ts';

interface Entry {
  readonly due: number;
  readonly order: number;
  readonly foreground: boolean;
  readonly run: () => void;
}

/**
 * Time that passes only while everything waits: if at least one `sleep` is pending and nothing holds the clock, it jumps to the
 * earliest entry. Timers alone never move it, so that a periodic task does not run for ever.
 */
export class VirtualClock implements Clock {
  #now: number;
  readonly #origin: number;
  #order = 0;
  #holds = 0;
  #pumping = false;
  readonly #entries = new Set<Entry>();

  constructor(startMs: number) {
    this.#now = startMs;
    this.#origin = startMs;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#origin;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        this.#entries.delete(entry);
        reject(signal?.reason as Error);
      };
      const entry = this.#add(ms, true, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pump();
    });
  }

  timer(ms: number, task: () => void): () => void {
    const entry = this.#add(ms, false, task);
    return () => this.#entries.delete(entry);
  }

  /** Stops time while real work is under way; returns a function that releases it. */
  hold(): () => void {
    this.#holds += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holds -= 1;
      this.#pump();
    };
  }

  /** Moves time forward at once, and runs everything that falls due on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#earliest(); next && next.due <= end; next = this.#earliest()) this.#fire(next);
    this.#now = end;
  }

  #add(ms: number, foreground: boolean, run: () => void): Entry {
    const entry: Entry = { due: this.#now + Math.max(0, ms), order: this.#order++, foreground, run };
    this.#entries.add(entry);
    return entry;
  }

  #earliest(): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) {
      if (!first || entry.due < first.due || (entry.due === first.due && entry.order < first.order))
        first = entry;
    }
    return first;
  }

  #fire(entry: Entry): void {
    this.#entries.delete(entry);
    this.#now = Math.max(this.#now, entry.due);
    entry.run();
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Two turns of the event loop let every promise that is ready run first, so that no jump overtakes a task.
    setImmediate(() =>
      setImmediate(() => {
        this.#pumping = false;
        if (this.#holds > 0 || ![...this.#entries].some((entry) => entry.foreground)) return;
        const next = this.#earliest();
        if (next) this.#fire(next);
        this.#pump();
      }),
    );
  }
}
