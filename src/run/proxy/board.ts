import { ChangeSignal } from '../../core/changeSignal.ts';
import type { ArrivalView } from '../../sink/page/news.ts';
import type { FaultView } from './faults.ts';

/** Something that passed the proxy, as people may see it. */
export interface PassedView {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly kind: 'request' | 'callback';
  /** Operation, or method and path. */
  readonly what: string;
  /** Label of the key; empty for none. */
  readonly key: string;
  readonly answer: string;
  readonly ms: number;
  /** Faults that struck it, and what the client did that it should not. */
  readonly notes: readonly string[];
  /** What it breaks of the documents. */
  readonly violated: readonly { readonly id: string; readonly title: string }[];
  readonly request: ArrivalView;
  readonly response: ArrivalView | null;
}

export interface ProxyCounts {
  requests: number;
  callbacks: number;
  violated: number;
  struck: number;
  /** Neither recorded nor judged, since the recording was full. */
  unrecorded: number;
}

/** All that changed since a reader looked last. */
interface ProxyNews {
  readonly passed: readonly PassedView[];
  readonly faults: readonly FaultView[];
  readonly counts: Readonly<ProxyCounts>;
}

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
