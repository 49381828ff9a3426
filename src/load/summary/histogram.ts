import type { Percentiles } from './summarySchema.ts';
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

/**
 * Durations as an HDR histogram: every value counts, with three digits (or two). Histograms are added up bucket by bucket, which
 * loses nothing; percentiles are only computed from a whole, never averaged.
 */
export class Durations {
  readonly #histogram: Histogram;

  constructor(digits: 2 | 3 = 3) {
    this.#histogram = build({ bitBucketSize: 32, autoResize: true, numberOfSignificantValueDigits: digits });
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  /** Takes milliseconds, and stores microseconds; at least one, since a histogram has no zero. */
  record(ms: number): void {
    this.#histogram.recordValue(Math.max(1, Math.round(ms * 1000)));
  }

  add(other: Durations): void {
    this.#histogram.add(other.#histogram);
  }

  /** The duration that this share of all values (0 to 100) does not exceed, in milliseconds; 0 without values. */
  percentile(share: number): number {
    return this.count === 0 ? 0 : this.#histogram.getValueAtPercentile(share) / 1000;
  }

  /** The values that these shares do not exceed. */
  curve(shares: readonly number[]): readonly number[] {
    return shares.map((share) => this.percentile(share));
  }

  get percentiles(): Percentiles {
    const at = (share: number) => this.percentile(share);
    return {
      count: this.count,
      // From the buckets, like all others: the exact extremes are not sent between machines.
      minMs: at(0),
      p50Ms: at(50),
      p90Ms: at(90),
      p95Ms: at(95),
      p99Ms: at(99),
      p999Ms: at(99.9),
      maxMs: at(100),
    };
  }

  get meanMs(): number {
    return this.count === 0 ? 0 : this.#histogram.mean / 1000;
  }

  /** The histogram itself, in the format of the HDR tools (V2, compressed, base64). */
  encode(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }

  static decode(text: string, digits: 2 | 3 = 3): Durations {
    const durations = new Durations(digits);
    durations.#histogram.add(decodeFromCompressedBase64(text));
    return durations;
  }
}
