import type { Decision } from '../judge/limits/decision.ts';
import type { Identification } from '../judge/limits/identify.ts';
import type { WindowLimit } from '../core/windowLimit.ts';

/** A timeline of one of the two limits, and the limiter that it shows. */
export interface LimitsEntry {
  readonly title: string;
  readonly window: WindowLimit;
  readonly decisions: readonly Decision[];
  readonly identification: Identification;
}

/** The title of the minute limit. */
export const minuteTitle = 'Minute limit';

/** What the limit checks of a run found, for the reports; one entry per title. */
export class LimitsBook {
  readonly #entries = new Map<string, LimitsEntry>();
  readonly #onEntry: (entry: LimitsEntry) => void;

  /** `onEntry` gets every entry, also of a try that is not kept. */
  constructor(onEntry: (entry: LimitsEntry) => void = () => undefined) {
    this.#onEntry = onEntry;
  }

  get entries(): readonly LimitsEntry[] {
    return [...this.#entries.values()];
  }

  /** Whether the minute limit was seen to be the documented one, so that no key uses up the budget of another. */
  get isByKey(): boolean {
    return this.#entries.get(minuteTitle)?.identification.isDocumented === true;
  }

  /** Of several tries of one check, the one that contradicts the documents is kept. */
  note(entry: LimitsEntry): void {
    this.#onEntry(entry);
    const known = this.#entries.get(entry.title);
    if (!known || known.identification.isDocumented) this.#entries.set(entry.title, entry);
  }
}
