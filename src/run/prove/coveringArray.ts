import { createRandom } from '../../core/random.ts';

/** Choices by name: the variants of each factor. */
export interface Factor {
  readonly name: string;
  readonly variants: readonly string[];
}

/** One variant for each factor. */
export type Assignment = Readonly<Record<string, string>>;

/** How many random rows are tried for each row that is kept; more makes the array a little smaller. */
const candidates = 20;

/**
 * Assignments in which every pair of variants of two factors occurs at least once: greedy, each row is the one of several random
 * candidates that covers most of the open pairs. The same seed gives the same array.
 */
export function pairwise(factors: readonly Factor[], seed: number): readonly Assignment[] {
  const random = createRandom(seed);
  const open = new OpenPairs(factors.map(({ variants }) => variants.length));
  const rows: (readonly number[])[] = [];
  for (let next = open.first(); next !== null; next = open.first()) {
    let best = drawRow(factors, random, next);
    for (let tried = 1; tried < candidates; tried += 1) {
      const row = drawRow(factors, random, next);
      if (open.count(row) > open.count(best)) best = row;
    }
    open.cover(best);
    rows.push(best);
  }
  return rows.map((row) => toAssignment(factors, row));
}

/** A variant for each factor, drawn by chance. */
export function randomAssignment(factors: readonly Factor[], random: () => number): Assignment {
  return toAssignment(factors, drawRow(factors, random, new Map()));
}

/** A row as the index of each factor's variant. */
function drawRow(
  factors: readonly Factor[],
  random: () => number,
  given: ReadonlyMap<number, number>,
): number[] {
  return factors.map(({ variants }, factor) => given.get(factor) ?? Math.floor(random() * variants.length));
}

function toAssignment(factors: readonly Factor[], row: readonly number[]): Assignment {
  return Object.fromEntries(
    factors.map(({ name, variants }, factor) => [name, variants[row[factor] ?? 0] ?? '']),
  );
}

/** The pairs that no row contains yet, one byte each: numbers, because there are tens of thousands of them. */
class OpenPairs {
  /** Number of the first variant of each factor, counted over all factors. */
  readonly #offsets: readonly number[];
  readonly #size: number;
  readonly #sizes: readonly number[];
  readonly #open: Uint8Array;
  #from = 0;

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    this.#size = sizes.reduce((sum, size) => sum + size, 0);
    this.#offsets = sizes.map((_, factor) => sizes.slice(0, factor).reduce((sum, size) => sum + size, 0));
    this.#open = new Uint8Array(this.#size * this.#size);
    for (let one = 0; one < sizes.length; one += 1) {
      for (let other = one + 1; other < sizes.length; other += 1) this.#openAll(one, other);
    }
  }

  /** One open pair, as variants by factor; null if all are covered. */
  first(): ReadonlyMap<number, number> | null {
    while (this.#from < this.#open.length && this.#open[this.#from] === 0) this.#from += 1;
    if (this.#from === this.#open.length) return null;
    const [one, other] = [Math.floor(this.#from / this.#size), this.#from % this.#size];
    return new Map([this.#variantOf(one), this.#variantOf(other)]);
  }

  count(row: readonly number[]): number {
    let count = 0;
    this.#eachPair(row, (index) => (count += this.#open[index] ?? 0));
    return count;
  }

  cover(row: readonly number[]): void {
    this.#eachPair(row, (index) => (this.#open[index] = 0));
  }

  #openAll(one: number, other: number): void {
    for (let a = 0; a < (this.#sizes[one] ?? 0); a += 1) {
      for (let b = 0; b < (this.#sizes[other] ?? 0); b += 1)
        this.#open[this.#pair(this.#place(one, a), this.#place(other, b))] = 1;
    }
  }

  #eachPair(row: readonly number[], visit: (index: number) => void): void {
    for (let one = 0; one < row.length; one += 1) {
      for (let other = one + 1; other < row.length; other += 1) {
        visit(this.#pair(this.#place(one, row[one]), this.#place(other, row[other])));
      }
    }
  }

  #pair(one: number, other: number): number {
    return one * this.#size + other;
  }

  #place(factor: number, variant = 0): number {
    return (this.#offsets[factor] ?? 0) + variant;
  }

  #variantOf(number: number): [factor: number, variant: number] {
    const factor = this.#offsets.findLastIndex((offset) => offset <= number);
    return [factor, number - (this.#offsets[factor] ?? 0)];
  }
}
