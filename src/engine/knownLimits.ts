import type { Decision } from '../judge/limits/decision.ts';
import { foundOf, type LimitsEntry } from './limitsResult.ts';
import type { LimitsFound } from './limitsSchema.ts';

/** The title of the minute limit. */
export const minuteTitle = 'Minute limit';

/** What the limit checks of a run found, for the reports; one entry per title. */
export class KnownLimits {
  readonly #found = new Map<string, LimitsFound>();
  readonly #decisions = new Map<string, readonly Decision[]>();
  readonly #onFound: (found: LimitsFound) => void;

  /** `onFound` gets every entry, also of a try that is not kept. */
  constructor(onFound: (found: LimitsFound) => void = () => undefined) {
    this.#onFound = onFound;
  }

  get found(): readonly LimitsFound[] {
    return [...this.#found.values()];
  }

  of(title: string): LimitsFound | null {
    return this.#found.get(title) ?? null;
  }

  /** The requests that show it; none of an earlier part of a run that was resumed. */
  decisions(title: string): readonly Decision[] {
    return this.#decisions.get(title) ?? [];
  }

  /** Whether the minute limit was seen to be the documented one, so that no key uses up the budget of another. */
  get isByKey(): boolean {
    return this.of(minuteTitle)?.limiter.documented === true;
  }

  note(entry: LimitsEntry): void {
    if (this.take(foundOf(entry))) this.#decisions.set(entry.title, entry.decisions);
  }

  /** Of several tries of one check, the one that contradicts the documents is kept. Whether this one is. */
  take(found: LimitsFound): boolean {
    this.#onFound(found);
    const { title } = found.limiter;
    const isKept = this.of(title)?.limiter.documented !== false;
    if (isKept) this.#found.set(title, found);
    return isKept;
  }
}
