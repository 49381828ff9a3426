import type { Situation } from './situation.ts';

/** A situation with its gain when it was last asked: gains only fall, so that an old one is never too low. */
interface Candidate<Stage> {
  readonly situation: Situation<Stage>;
  readonly jitter: number;
  gain: number;
}

/** How much the seed may prefer one situation to another of the same gain. */
const jitterShare = 0.2;

/** Chooses what to bring about next: of all that is possible, what adds most for its price. The same seed, the same choices. */
export class Steerer<Stage> {
  readonly #reached = new Map<string, number>();
  /** By gain, the highest first. */
  #candidates: Candidate<Stage>[] = [];
  readonly #random: () => number;

  constructor(situations: readonly Situation<Stage>[], random: () => number) {
    this.#random = random;
    this.add(situations);
  }

  add(situations: readonly Situation<Stage>[]): void {
    const added = situations.map((situation) => {
      const jitter = 1 + jitterShare * this.#random();
      return { situation, jitter, gain: this.#gain(situation) * jitter };
    });
    this.#candidates = [...this.#candidates, ...added].toSorted((one, other) => other.gain - one.gain);
  }

  /** The most worthwhile situation that costs at most `most`; null if none is possible. */
  next(stage: Stage, most: number): Situation<Stage> | null {
    for (let at = 0; at < this.#candidates.length; at += 1) {
      const best = this.#refreshed(at);
      if (best === undefined) return null;
      const { situation } = best;
      if (situation.price <= most && situation.isPossible(stage)) return situation;
    }
    return null;
  }

  /** How often a cell was reached. */
  count(cell: string): number {
    return this.#reached.get(cell) ?? 0;
  }

  reach(cells: readonly string[]): void {
    for (const cell of cells) this.#reached.set(cell, this.count(cell) + 1);
  }

  /** What a cell is still worth: much as long as it was not reached, then ever less. */
  worthOf(cells: readonly string[]): number {
    return cells.reduce((sum, cell) => sum + 1 / (1 + this.count(cell)) ** 2, 0);
  }

  #gain({ cells, price, worth }: Situation<Stage>): number {
    return (worth * this.worthOf(cells)) / Math.max(price, 0.1);
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
