import type { Delivery, Exchange } from '../../core/evidence.ts';

/** A change that the load caused, by what its webhook must say. */
export interface Change {
  readonly checkinId: string;
  /** The message of this change and of no other. */
  readonly mark: string;
  /** Address that has to hear of it. */
  readonly registration: string;
  /** Wall-clock time at which it was asked for. */
  readonly askedAt: number;
  /** The last that its partner was answered before. */
  readonly evidence: Exchange | null;
}

/** Changes that are told of late are remembered; more than this are counted only. */
const mostShown = 20;

/** The changes that a load causes, until each has been told of: at least once, and to the right address. */
export class ChangeBook {
  readonly #open = new Map<string, Change>();
  #caused = 0;
  #told = 0;
  #repeated = 0;
  readonly #seen = new Set<string>();

  caused(change: Change): void {
    this.#caused += 1;
    this.#open.set(change.mark, change);
  }

  /** The change did not come about, so that nobody is told of it. */
  withdraw(mark: string): void {
    if (this.#open.delete(mark)) this.#caused -= 1;
  }

  /** Takes a delivery; returns how long after its change it came, or null where it is none of these. */
  note({ registration, receivedAt }: Delivery, mark: string): number | null {
    const change = this.#open.get(mark);
    if (change?.registration !== registration) {
      if (this.#seen.has(mark)) this.#repeated += 1;
      return null;
    }
    this.#open.delete(mark);
    this.#seen.add(mark);
    this.#told += 1;
    return receivedAt - change.askedAt;
  }

  isTold(mark: string): boolean {
    return this.#seen.has(mark);
  }

  /** What is still to be told of. */
  get open(): readonly Change[] {
    return [...this.#open.values()].slice(0, mostShown);
  }

  get counts(): {
    readonly caused: number;
    readonly told: number;
    readonly lost: number;
    readonly repeated: number;
  } {
    return { caused: this.#caused, told: this.#told, lost: this.#open.size, repeated: this.#repeated };
  }
}
