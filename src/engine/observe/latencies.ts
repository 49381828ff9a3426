/** Response times of one operation, in milliseconds. */
export interface LatencySummary {
  readonly operation: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Buckets grow by a twentieth, so that a percentile is at most 5 % off. */
const growth = Math.log(1.05);
const smallestMs = 0.05;

/** Enough for answers of hours. */
const buckets = 512;

/** Number of latest response times from which the least and the median are taken. */
const remembered = 32;

/** Response times by operation in a fixed amount of memory. */
export class Latencies {
  readonly #latest: number[] = [];
  #next = 0;
  /** Asked for far more often than it changes; null until it is needed again. */
  #least: number | null = null;
  readonly #buckets = new Map<string, { readonly counts: Float64Array; count: number; max: number }>();

  add(operation: string, ms: number): void {
    this.#latest[this.#next] = ms;
    this.#least = null;
    this.#next = (this.#next + 1) % remembered;
    let entry = this.#buckets.get(operation);
    if (!entry)
      this.#buckets.set(operation, (entry = { counts: new Float64Array(buckets), count: 0, max: 0 }));
    const bucket =
      ms <= smallestMs ? 0 : Math.min(buckets - 1, Math.ceil(Math.log(ms / smallestMs) / growth));
    entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1;
    entry.count += 1;
    entry.max = Math.max(entry.max, ms);
  }

  /** The least of the latest response times: how far away the deployment is, however busy; 0 before the first. */
  get least(): number {
    return (this.#least ??= this.#latest.length === 0 ? 0 : Math.min(...this.#latest));
  }

  /** The median of the latest response times; 0 before the first. */
  get typical(): number {
    return this.#latest.toSorted((a, b) => a - b)[this.#latest.length >> 1] ?? 0;
  }

  summaries(): readonly LatencySummary[] {
    return [...this.#buckets].map(([operation, { counts, count, max }]) => {
      const at = (share: number) => Math.min(max, percentile(counts, count, share));
      return { operation, count, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: round(max) };
    });
  }
}

function percentile(counts: Float64Array, count: number, share: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    seen += counts[bucket] ?? 0;
    if (seen >= share * count) return round(smallestMs * Math.exp(growth * bucket));
  }
  return 0;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
