import { Durations, type Percentiles } from './histogram.ts';
import { noisyPairs, measuredTurnAt, type NoisyTurns } from './noisyTurns.ts';
import type { SampleKind } from './recorder.ts';

/** How evenly tenants are served, and how one that sends far more affects the others. */
export interface Fairness {
  readonly tenants: number;
  /** Answers of the tenants that got the fewest and the most, without the noisy one. */
  readonly leastServed: number;
  readonly mostServed: number;
  /** Tenants that sent and got no good answer at all, such as by a wrong key: how many, and the first of them. */
  readonly unserved: { readonly count: number; readonly examples: readonly string[] };
  /** Jain's index of the share of requests answered: 1 if all are served alike, 1/n if only one is. */
  readonly jain: number;
  /** Bytes that the pacing stores per key. */
  readonly bytesPerKey: number;
  readonly noisy: NoisyTenant | null;
}

/** The others while no tenant is noisy, and while one is; and the noisy one itself. */
interface NoisyTenant {
  readonly share: number;
  readonly before: Percentiles;
  readonly during: Percentiles;
  readonly own: Percentiles;
  /** Number of its requests that the rate limit refused; and of those of the others. */
  readonly refused: number;
  readonly othersRefused: number;
  /** `unsure` if the others were slower, but this machine may be the reason. */
  readonly verdict: 'slower' | 'same' | 'unsure' | 'too-few';
}

/** One answer, as far as it matters for fairness. */
interface TenantSample {
  /** Label of its key. */
  readonly key: string;
  readonly kind: SampleKind;
  readonly atMs: number;
  readonly serviceMs: number;
}

/** Fewest answers for a comparison. */
const fewest = 100;
/** The others count as slowed down if their median or 99 % is this many times as long, in total and in most pairs of turns. */
const slower = 1.2;
const mostPairs = noisyPairs - 1;
const mostExamples = 5;

/** Adds up answers by tenant, two numbers for each, however many answers there are. */
export class FairnessBook {
  readonly #places: ReadonlyMap<string, number>;
  readonly #served: Uint32Array;
  readonly #sent: Uint32Array;
  readonly #noisy: (NoisyTurns & { readonly key: string }) | null;
  /** Answers to the others by turn. */
  readonly #turns = Array.from({ length: 2 * noisyPairs }, () => new Durations(2));
  readonly #own = new Durations();
  #refused = 0;
  #othersRefused = 0;

  constructor(keys: readonly string[], noisy: NoisyTurns | null) {
    this.#places = new Map(keys.map((key, index) => [key, index]));
    this.#served = new Uint32Array(keys.length);
    this.#sent = new Uint32Array(keys.length);
    this.#noisy = noisy === null ? null : { ...noisy, key: keys.at(-1) ?? '' };
  }

  record({ key, kind, atMs, serviceMs }: TenantSample): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#sent[place] = (this.#sent[place] ?? 0) + 1;
    if (kind === 'ok') this.#served[place] = (this.#served[place] ?? 0) + 1;
    if (this.#noisy === null) return;
    const isOwn = key === this.#noisy.key;
    if (kind === 'refused') {
      if (isOwn) this.#refused += 1;
      else this.#othersRefused += 1;
      return;
    }
    if (isOwn) this.#own.record(serviceMs);
    else this.#turns[measuredTurnAt(this.#noisy, atMs) ?? -1]?.record(serviceMs);
  }

  /** `isSenderSure`: whether this machine was certainly not what was slow. */
  summary(bytesPerKey: number, isSenderSure = true): Fairness {
    const places = this.#served.length - (this.#noisy === null ? 0 : 1);
    const shares: number[] = [];
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    for (let place = 0; place < places; place += 1) {
      const served = this.#served[place] ?? 0;
      [least, most] = [Math.min(least, served), Math.max(most, served)];
      if ((this.#sent[place] ?? 0) > 0) shares.push(served / (this.#sent[place] ?? 1));
    }
    const sum = shares.reduce((total, one) => total + one, 0);
    const squares = shares.reduce((total, one) => total + one * one, 0);
    return {
      tenants: this.#served.length,
      leastServed: Number.isFinite(least) ? least : 0,
      mostServed: most,
      unserved: this.#unserved(),
      jain: squares === 0 ? 0 : (sum * sum) / (shares.length * squares),
      bytesPerKey,
      noisy: this.#noisy === null ? null : this.#noisySummary(this.#noisy, isSenderSure),
    };
  }

  #unserved(): Fairness['unserved'] {
    const labels = [...this.#places]
      .filter(([, place]) => (this.#sent[place] ?? 0) > 0 && (this.#served[place] ?? 0) === 0)
      .map(([label]) => label);
    return { count: labels.length, examples: labels.slice(0, mostExamples) };
  }

  #noisySummary({ share }: NoisyTurns, isSure: boolean): NoisyTenant {
    const [before, during] = [this.#sum(0), this.#sum(1)];
    const isFew = Math.min(before.count, during.count) < fewest;
    const isSlower = [50, 99].some((at) => this.#isSlower([before, during], at));
    return {
      ...{ share, before: before.percentiles, during: during.percentiles, own: this.#own.percentiles },
      ...{ refused: this.#refused, othersRefused: this.#othersRefused },
      verdict: isFew ? 'too-few' : !isSlower ? 'same' : isSure ? 'slower' : 'unsure',
    };
  }

  /** All quiet turns, or all noisy ones. */
  #sum(first: 0 | 1): Durations {
    const sum = new Durations(2);
    for (const [turn, durations] of this.#turns.entries()) if (turn % 2 === first) sum.add(durations);
    return sum;
  }

  #isSlower(all: readonly [Durations, Durations], at: number): boolean {
    const grown = ([quiet, noisy]: readonly (Durations | undefined)[]) =>
      (noisy?.percentile(at) ?? 0) / Math.max(quiet?.percentile(at) ?? 0, 0.01) > slower;
    const pairs = Array.from({ length: noisyPairs }, (_, pair) => this.#turns.slice(2 * pair, 2 * pair + 2));
    return grown(all) && pairs.filter(grown).length >= mostPairs;
  }
}
