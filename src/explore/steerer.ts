import type { Situation } from './situation.ts';

/** A situation with its gain when it was last asked: gains only fall, so that an old one is never too low. */
interface Candidate<Stage> {
  readonly situation: Situation<Stage>;
  /** Numbers of its cells, a chain for each thing that it brings about. */
  readonly chains: readonly (readonly number[])[];
  /** What it is worth for its price, a little more or less by the seed. */
  readonly factor: number;
  gain: number;
}

/** What the next situation may cost, and has to gain at least. */
interface Bounds {
  readonly most: number;
  readonly least?: number;
  readonly units?: number;
}

/** How much less the next finer cell counts. */
const finer = 0.6;
/** How much the seed may prefer one situation to another of the same gain. */
const jitterShare = 0.2;

/**
 * Chooses what to bring about next: of all that is possible, what reaches most that was not reached yet, for its price. So a family gets as
 * many requests as it has such cells. The same seed, the same choices.
 */
export class Steerer<Stage> {
  /** How often each cell was reached, by its number. */
  readonly #reached: number[] = [];
  readonly #numbers = new Map<string, number>();
  /** By gain, the highest first. */
  #candidates: Candidate<Stage>[] = [];
  readonly #random: () => number;

  constructor(situations: readonly Situation<Stage>[], { random }: { readonly random: () => number }) {
    this.#random = random;
    this.add(situations);
  }

  add(situations: readonly Situation<Stage>[]): void {
    const added = situations.map((situation) => {
      const { worth, price } = situation;
      const chains = chainsOf(situation).map((chain) => this.#numbered(chain));
      const factor = (worth * (1 + jitterShare * this.#random())) / price;
      return { situation, chains, factor, gain: factor * this.#newIn(chains) };
    });
    this.#candidates = [...this.#candidates, ...added].toSorted((one, other) => other.gain - one.gain);
  }

  /** The situation with the highest gain within bounds; null if none is possible. */
  next(stage: Stage, { most, least = 0, units = Number.POSITIVE_INFINITY }: Bounds): Situation<Stage> | null {
    for (let at = 0; at < this.#candidates.length; at += 1) {
      const best = this.#refreshed(at);
      if (best === undefined || best.gain < least) return null;
      const { situation } = best;
      if (situation.price > most || (situation.units ?? 0) > units) continue;
      if (situation.isPossible(stage)) return situation;
    }
    return null;
  }

  /** Notes that a situation is brought about. */
  take(situation: Pick<Situation<Stage>, 'cells' | 'beside'>): void {
    for (const chain of chainsOf(situation)) this.reach(chain);
  }

  reach(cells: readonly string[]): void {
    for (const cell of this.#numbered(cells)) this.#reached[cell] = (this.#reached[cell] ?? 0) + 1;
  }

  /** How new cells are, from 0 to 1: the coarse ones, which come first, count for more. */
  noveltyOf(cells: readonly string[]): number {
    return this.#noveltyOf(this.#numbered(cells));
  }

  #newIn(chains: readonly (readonly number[])[]): number {
    return chains.reduce((sum, chain) => sum + this.#noveltyOf(chain), 0);
  }

  #noveltyOf(chain: readonly number[]): number {
    let [sum, whole, weight] = [0, 0, 1];
    for (const cell of chain) {
      sum += weight / (1 + (this.#reached[cell] ?? 0)) ** 3;
      whole += weight;
      weight *= finer;
    }
    return whole === 0 ? 0 : sum / whole;
  }

  #numbered(cells: readonly string[]): readonly number[] {
    return cells.map((cell) => {
      const known = this.#numbers.get(cell);
      if (known !== undefined) return known;
      this.#numbers.set(cell, this.#numbers.size);
      return this.#numbers.size - 1;
    });
  }

  /** The candidate with the highest gain from a position on, moved there. */
  #refreshed(at: number): Candidate<Stage> | undefined {
    for (;;) {
      const first = this.#candidates[at];
      if (first === undefined) return undefined;
      const gain = first.factor * this.#newIn(first.chains);
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

function chainsOf({ cells, beside = [] }: Pick<Situation<never>, 'cells' | 'beside'>) {
  return cells.length === 0 ? beside : [cells, ...beside];
}
