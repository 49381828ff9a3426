import { ChangeSignal } from '../../core/changeSignal.ts';
import type { FaultView, PassedView, ProxyCounts, ProxyNews } from '../../sink/page/proxyNews.ts';

/** The latest of what passed; readers follow it at their own pace. */
export class ProxyBoard {
  readonly counts: ProxyCounts = { requests: 0, callbacks: 0, violated: 0, struck: 0, unrecorded: 0 };
  readonly #faults: () => readonly FaultView[];
  readonly #keep: number;
  #kept: PassedView[] = [];
  #seq = 0;
  readonly #change = new ChangeSignal();

  constructor(faults: () => readonly FaultView[], keep = 200) {
    this.#faults = faults;
    this.#keep = keep;
  }

  get version(): number {
    return this.#change.version;
  }

  add(view: Omit<PassedView, 'seq'>): PassedView {
    this.#seq += 1;
    const kept = { ...view, seq: this.#seq };
    this.#kept.push(kept);
    if (this.#kept.length > this.#keep) this.#kept.shift();
    this.changed();
    return kept;
  }

  /** What is new to a reader that has seen everything up to `seq`. */
  since(seq: number): ProxyNews {
    const passed = this.#kept.filter((one) => one.seq > seq);
    return { passed, faults: this.#faults(), counts: { ...this.counts } };
  }

  changed(): void {
    this.#change.changed();
  }

  /** Resolves when there is something newer than `version`, or the signal aborts. */
  news(version: number, signal: AbortSignal): Promise<void> {
    return this.#change.after(version, signal);
  }
}
