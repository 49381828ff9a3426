import type { Exchange } from '../../core/evidence.ts';

/** One observation of how the deployment settles an open point. */
export interface Observation {
  readonly openPoint: string;
  readonly variant: string;
  readonly exchange: string | null;
  /** What was measured, for people; null if there is nothing to add. */
  readonly detail: string | null;
}

/** What is known about how the deployment settles the open points. */
export class Dialect {
  readonly #seen = new Map<string, Map<string, Observation>>();
  readonly #onNews: (observation: Observation) => void;

  constructor(onNews: (observation: Observation) => void = () => undefined) {
    this.#onNews = onNews;
  }

  observe(
    openPoint: string,
    variant: string,
    exchange: Exchange | null = null,
    detail: string | null = null,
  ): void {
    let variants = this.#seen.get(openPoint);
    if (!variants) this.#seen.set(openPoint, (variants = new Map<string, Observation>()));
    if (variants.has(variant)) return;
    const observation = { openPoint, variant, exchange: exchange?.id ?? null, detail };
    variants.set(variant, observation);
    this.#onNews(observation);
  }

  /** The only variant seen so far; null if none or several were seen. */
  variant(openPoint: string): string | null {
    const variants = [...(this.#seen.get(openPoint)?.keys() ?? [])];
    return variants.length === 1 ? (variants[0] ?? null) : null;
  }

  /** All observations. */
  get all(): readonly Observation[] {
    return [...this.#seen.values()].flatMap((variants) => [...variants.values()]);
  }

  /** All variants seen, in the order of first observation. */
  variants(openPoint: string): readonly Observation[] {
    return [...(this.#seen.get(openPoint)?.values() ?? [])];
  }
}

/** An observation as a report shows it: the variant, and what was measured. */
export function describeObservation({ variant, detail }: Observation): string {
  return detail === null ? variant : `${variant} (${detail})`;
}
