import { Durations } from '../summary/histogram.ts';
import type { LoadSummary } from '../summary/summarySchema.ts';
import type { MeasuredJourney } from '../summary/thresholds.ts';

/** The results of all partners that ran one journey. */
type JourneySummary = NonNullable<LoadSummary['journeys']>[number];

interface Tally {
  begun: number;
  done: number;
  brokenOff: number;
  readonly times: Durations;
  readonly steps: Map<string, { readonly times: Durations; failed: number }>;
  readonly failures: Map<string, { step: string; why: string; count: number }>;
}

/** Most kinds of failure and steps that are counted separately; a journey has few, and answers must not add more. */
const mostKinds = 20;
const longestName = 80;

/** Adds up journeys by their id. */
export class JourneyTotals {
  readonly #tallies = new Map<string, Tally>();
  readonly #warmUpMs: number;
  /** Number of started journeys, including those of the warm-up. */
  begun = 0;

  constructor(warmUpMs = 0) {
    this.#warmUpMs = warmUpMs;
  }

  /** Whether a journey that starts at this time counts. */
  counts(atMs: number): boolean {
    return atMs >= this.#warmUpMs;
  }

  begin(journey: string): void {
    this.#of(journey).begun += 1;
  }

  done(journey: string, ms: number): void {
    const tally = this.#of(journey);
    tally.done += 1;
    tally.times.record(ms);
  }

  brokenOff(journey: string): void {
    this.#of(journey).brokenOff += 1;
  }

  step(journey: string, step: string, ms: number): void {
    this.#stepOf(journey, nameOf(step))?.times.record(ms);
  }

  failed(journey: string, failedStep: string, why: string): void {
    const step = nameOf(failedStep);
    const { failures } = this.#of(journey);
    const record = this.#stepOf(journey, step);
    if (record) record.failed += 1;
    const name = `${step}\n${why}`;
    const known = failures.get(name);
    if (known) known.count += 1;
    else if (failures.size < mostKinds) failures.set(name, { step, why, count: 1 });
    else {
      const rest = failures.get('rest') ?? { step: '', why: 'for other reasons', count: 0 };
      rest.count += 1;
      failures.set('rest', rest);
    }
  }

  get measured(): ReadonlyMap<string, MeasuredJourney> {
    return new Map(
      [...this.#tallies].map(([id, tally]) => [
        id,
        { times: tally.times, begun: tally.begun, failed: failedOf(tally) },
      ]),
    );
  }

  get summaries(): readonly JourneySummary[] {
    return [...this.#tallies].map(([journey, tally]) => ({
      journey,
      begun: tally.begun,
      done: tally.done,
      failed: failedOf(tally),
      brokenOff: tally.brokenOff,
      time: tally.times.percentiles,
      steps: [...tally.steps].map(([step, { times, failed }]) => ({ step, time: times.percentiles, failed })),
      failures: [...tally.failures.values()].toSorted((one, other) => other.count - one.count),
    }));
  }

  #of(journey: string): Tally {
    let tally = this.#tallies.get(journey);
    if (!tally) {
      tally = {
        begun: 0,
        done: 0,
        brokenOff: 0,
        times: new Durations(),
        steps: new Map(),
        failures: new Map(),
      };
      this.#tallies.set(journey, tally);
    }
    return tally;
  }

  #stepOf(journey: string, step: string) {
    const { steps } = this.#of(journey);
    let record = steps.get(step);
    if (!record && steps.size < mostKinds) steps.set(step, (record = { times: new Durations(), failed: 0 }));
    return record;
  }
}

/** A journey of the user's may give a step any name. */
function nameOf(step: unknown): string {
  return typeof step === 'string' ? step.slice(0, longestName) : '';
}

function failedOf({ failures }: Tally): number {
  return [...failures.values()].reduce((sum, { count }) => sum + count, 0);
}
