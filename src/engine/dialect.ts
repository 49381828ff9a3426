import type { Exchange } from '../core/evidence.ts';

/** One sighting of how the deployment settles an open point. */
export interface Observation {
  readonly openPoint: string;
  readonly variant: string;
  readonly exchange: string | null;
  /** What was measured, for people; null where there is no more to say. */
  readonly detail: string | null;
}

/** What has been found out about the deployment's way with the open points. */
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

  /** The one variant seen so far; null where none or several were. */
  variant(openPoint: string): string | null {
    const variants = [...(this.#seen.get(openPoint)?.keys() ?? [])];
    return variants.length === 1 ? (variants[0] ?? null) : null;
  }

  /** All sightings. */
  get all(): readonly Observation[] {
    return [...this.#seen.values()].flatMap((variants) => [...variants.values()]);
  }

  /** All variants seen, in the order of sighting. */
  variants(openPoint: string): readonly Observation[] {
    return [...(this.#seen.get(openPoint)?.values() ?? [])];
  }
}

/** A sighting as it stands in a report: the variant, and what was measured. */
export function describeObservation({ variant, detail }: Observation): string {
  return detail === null ? variant : `${variant} (${detail})`;
}
