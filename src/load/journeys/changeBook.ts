import type { Delivery, Exchange } from '../../core/evidence.ts';
import { Durations, type Percentiles } from '../histogram.ts';

/** A change that the load caused, by what its webhook must say. */
interface Change {
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

/** How many changes with late webhooks are remembered; further ones are only counted. */
const mostShown = 20;
/** Told changes whose repetitions are still recognised, the latest. */
const mostSeen = 20_000;
/** Retries that are counted separately. */
const mostTurns = 10;

/** The changes that a load causes, until the webhook of each has come: at least once, and to the right address. */
export class ChangeBook {
  readonly #open = new Map<string, Change>();
  #caused = 0;
  #told = 0;
  #repeated = 0;
  /** When the webhook of each change came last, and how often it was repeated. */
  readonly #seen = new Map<string, { at: number; turns: number }>();
  readonly #retries: Durations[] = [];

  caused(change: Change): void {
    this.#caused += 1;
    this.#open.set(change.mark, change);
  }

  /** The change did not happen, so that no webhook is due. */
  withdraw(mark: string): void {
    if (this.#open.delete(mark)) this.#caused -= 1;
  }

  /** Takes a delivery; returns how long after its change it came, or null where it is none of these. */
  note({ registration, receivedAt }: Delivery, mark: string): number | null {
    const change = this.#open.get(mark);
    if (change?.registration !== registration) {
      this.#noteAgain(mark, receivedAt);
      return null;
    }
    this.#open.delete(mark);
    this.#seen.set(mark, { at: receivedAt, turns: 0 });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostSeen && oldest !== undefined) this.#seen.delete(oldest);
    this.#told += 1;
    return receivedAt - change.askedAt;
  }

  /** Intervals between one delivery of a change and the next, by their turn: how the deployment tries again. */
  get retries(): readonly { readonly turn: number; readonly interval: Percentiles }[] {
    return this.#retries.map((durations, index) => ({ turn: index + 1, interval: durations.percentiles }));
  }

  isTold(mark: string): boolean {
    return this.#seen.has(mark);
  }

  /** Changes whose webhook has not come yet. */
  get open(): readonly Change[] {
    return [...this.#open.values()].slice(0, mostShown);
  }

  #noteAgain(mark: string, receivedAt: number): void {
    const seen = this.#seen.get(mark);
    if (!seen) return;
    this.#repeated += 1;
    if (seen.turns < mostTurns) (this.#retries[seen.turns] ??= new Durations()).record(receivedAt - seen.at);
    seen.turns += 1;
    seen.at = receivedAt;
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
