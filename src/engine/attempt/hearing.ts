import type { Evidence, Exchange } from '../../core/evidence.ts';
import { holds } from '../../judge/kernel/judgement.ts';
import { sampleOf, type Sample, type Violation } from '../../judge/kernel/sample.ts';
import type { Ear } from '../observe/observer.ts';

/** What the oracles said about some evidence of a check. */
export interface Heard {
  /** Requirements that were judged, one for each sample. */
  readonly judged: readonly string[];
  readonly notApplicable: readonly string[];
  /** One for each broken requirement. */
  readonly violations: readonly Violation[];
}

interface HearingOptions {
  readonly check: { readonly id: string; readonly verifies: readonly string[] };
  readonly hear: (of: string, ear: Ear | null) => unknown;
  readonly keptBy: (exchange: Exchange) => readonly string[];
}

/** Collects what the oracles say about the requirements of a check, from its own exchanges and deliveries. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #verifies: ReadonlySet<string>;
  readonly #sources: string[] = [];
  #heard: (readonly [shown: Evidence, sample: Sample])[] = [];
  readonly #recalled = new Set<Exchange>();

  constructor(options: HearingOptions) {
    this.#options = options;
    this.#verifies = new Set(options.check.verifies);
    this.listen(options.check.id);
  }

  /** Hears about one more source of evidence: a registration of the sink. */
  listen(of: string): void {
    this.#sources.push(of);
    this.#options.hear(of, (shown, sample) => {
      if (this.#verifies.has(sample.requirement)) this.#heard.push([shown, sample]);
    });
  }

  /** The same fixture: what its making kept is heard, once. What it broke is found without the check, which may go on. */
  async recalled<T extends { readonly subscribed: Exchange }>(fixture: Promise<T>): Promise<T> {
    const made = await fixture;
    const { subscribed } = made;
    const kept = this.#recalled.has(subscribed) ? [] : this.#options.keptBy(subscribed);
    this.#recalled.add(subscribed);
    for (const requirement of kept)
      if (this.#verifies.has(requirement)) this.#heard.push([subscribed, sampleOf(requirement, holds)]);
    return made;
  }

  /** What was heard since somebody last asked. */
  take(): Heard {
    const heard = this.#heard;
    this.#heard = [];
    const of = (status: Sample['judgement']['status']) =>
      heard.flatMap(([, { requirement, judgement }]) => (judgement.status === status ? [requirement] : []));
    const violations = new Map<string, Violation>();
    for (const [shown, { requirement, judgement, evidence = [shown] }] of heard)
      if (judgement.status === 'violated' && !violations.has(requirement))
        violations.set(requirement, { requirement, judgement, evidence });
    return {
      judged: [...of('holds'), ...of('violated')],
      notApplicable: of('not-applicable'),
      violations: [...violations.values()],
    };
  }

  end(): void {
    for (const source of this.#sources) this.#options.hear(source, null);
  }
}
