import type { Situation } from './situation.ts';

/** A situation with its gain when it was last asked: gains only fall, so that an old one is never too low. */
interface Candidate<Stage> {
  readonly situation: Situation<Stage>;
  readonly jitter: number;
  gain: number;
}

/** How much less the next finer cell counts. */
const finer = 0.8;
/** How much the seed may prefer one situation to another of the same gain. */
const jitterShare = 0.2;

/** Chooses what to bring about next: of all that is possible, what adds most for its price. The same seed, the same choices. */
export class Steerer<Stage> {
  readonly #reached = new Map<string, number>();
  /** What was spent on each family. */
  readonly #spent = new Map<string, number>();
  readonly #shares: Readonly<Record<string, number>>;
  /** By gain, the highest first. */
  #candidates: Candidate<Stage>[] = [];
  readonly #random: () => number;

  constructor(
    situations: readonly Situation<Stage>[],
    { shares, random }: { readonly shares: Readonly<Record<string, number>>; readonly random: () => number },
  ) {
    [this.#shares, this.#random] = [shares, random];
    this.add(situations);
  }

  add(situations: readonly Situation<Stage>[]): void {
    const added = situations.map((situation) => {
      const jitter = 1 + jitterShare * this.#random();
      return { situation, jitter, gain: this.#gain(situation) * jitter };
    });
    this.#candidates = [...this.#candidates, ...added].toSorted((one, other) => other.gain - one.gain);
  }

  /** The situation with the highest gain that costs at most `most` and gains at least `least`; null if none is possible. */
  next(
    stage: Stage,
    { most, least = 0 }: { readonly most: number; readonly least?: number },
  ): Situation<Stage> | null {
    for (let at = 0; at < this.#candidates.length; at += 1) {
      const best = this.#refreshed(at);
      if (best === undefined || best.gain < least) return null;
      const { situation } = best;
      if (situation.price <= most && situation.isPossible(stage)) return situation;
    }
    return null;
  }

  /** How often a cell was reached. */
  count(cell: string): number {
    return this.#reached.get(cell) ?? 0;
  }

  /** Notes that a situation is brought about. */
  take({ family, cells, price }: Pick<Situation<Stage>, 'family' | 'cells' | 'price'>): void {
    this.#spent.set(family, (this.#spent.get(family) ?? 0) + price);
    this.reach(cells);
  }

  reach(cells: readonly string[]): void {
    for (const cell of cells) this.#reached.set(cell, this.count(cell) + 1);
  }

  /** How new cells are, from 0 to 1: the coarse ones, which come first, count for more. */
  noveltyOf(cells: readonly string[]): number {
    let [sum, whole, weight] = [0, 0, 1];
    for (const cell of cells) {
      sum += weight / (1 + this.count(cell)) ** 2;
      whole += weight;
      weight *= finer;
    }
    return whole === 0 ? 0 : sum / whole;
  }

  /** How much a family may still spend, compared with others: its share for what it has spent with this. */
  demandOf(family: string, price: number): number {
    return (this.#shares[family] ?? 1) / (price + (this.#spent.get(family) ?? 0));
  }

  #gain({ family, cells, worth, price }: Situation<Stage>): number {
    return worth * this.noveltyOf(cells) * this.demandOf(family, price);
  }

  /** The candidate with the highest gain from a position on, moved there. */
  #refreshed(at: number): Candidate<Stage> | undefined {
    for (;;) {
      const first = this.#candidates[at];
      if (first === undefined) return undefined;
      const gain = this.#gain(first.situation) * first.jitter;
      if (gain >= first.gain - 1e-9) return first;
      first.gain = gain;
      this.#sink(at);
    }
  }

  #sink(from: number): void {
    const all = this.#candidates;
    const candidate = all[from];
    if (candidate === undefined) return;
    let at = from;
    for (let next = all[at + 1]; next !== undefined && next.gain > candidate.gain; next = all[at + 1]) {
      all[at] = next;
      at += 1;
    }
    all[at] = candidate;
  }
}
