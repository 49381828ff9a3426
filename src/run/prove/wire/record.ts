import type { EngineCheck } from '../../../engine/suite.ts';
import { defaultEnterprises } from '../../../reference/enterprises.ts';
import { onRecords } from '../../../wire/layers.ts';
import { findGates } from '../../../wire/mutants/gateFinder.ts';
import { placeId, type Place } from '../../../wire/mutants/place.ts';
import { Recording, type SeenPlace } from '../../../wire/mutants/recording.ts';
import { sightingsOf, sightingsOfDelivery, type SeenChange } from '../../../wire/mutants/sightings.ts';
import type { Meetings } from '../../../wire/mutants/table.ts';
import { Setup, type Interference, type SeeExchange } from '../../../wire/stage.ts';
import type { Template } from '../../../wire/templates.ts';
import type { KnownKeys } from '../../../wire/keys.ts';
import { judgeReference } from '../judgeReference.ts';

/** What a conforming run sends, and models of valid requests. */
interface Recorded {
  readonly places: readonly SeenPlace[];
  readonly meetings: Meetings;
  readonly templates: readonly Template[];
}

/** Requests for one deployment: enough for all checks with several generated cases, those of the limits included. */
export const wireRequests = 4100;

/**
 * Runs each check alone, so that it pays for its own fixtures and reaches everything that it depends on; then all of them, to
 * count; then once more to find out why requests are refused. The checks of the limits send thousands of requests, which are
 * only needed for counting.
 */
export async function record(checks: readonly EngineCheck[], seed: number): Promise<Recorded> {
  const recorder = new Recorder(checks, seed);
  const active = checks.filter(({ kind }) => kind !== 'passive');
  const limits = active.filter(({ tags }) => tags.includes('limits'));
  const others = active.filter(({ tags }) => !tags.includes('limits'));
  for (const { id } of others) await recorder.record(id, (place) => !isAboutLimits(place));
  for (const { id } of limits) await recorder.record(id, isAboutLimits);
  for (const { id } of others) await recorder.search(id);
  const meetings = new Map([
    ...(await recorder.count(limits, isAboutLimits)),
    ...(await recorder.count(others, (place) => !isAboutLimits(place))),
  ]);
  return { places: recorder.places, meetings, templates: recorder.templates };
}

function isAboutLimits({ family, status }: Place): boolean {
  return family === 'limiter' || status === 429;
}

class Recorder {
  readonly #checks: readonly EngineCheck[];
  readonly #seed: number;
  readonly #recording = new Recording();
  #templates: readonly Template[] = [];

  constructor(checks: readonly EngineCheck[], seed: number) {
    this.#checks = checks;
    this.#seed = seed;
  }

  get places(): readonly SeenPlace[] {
    return this.#recording.places;
  }

  get templates(): readonly Template[] {
    return this.#templates;
  }

  /** Everything that one check meets. */
  async record(check: string, isWanted: (place: Place) => boolean = () => true): Promise<void> {
    const { sightings, stage } = await this.#watch([check]);
    this.#recording.noteRun(
      check,
      sightings.filter(({ place }) => isWanted(place)),
    );
    const known = new Map([...this.#templates, ...stage.templates.requests].map((one) => [nameOf(one), one]));
    this.#templates = [...known.values()];
  }

  /** Why requests of one check are refused. */
  async search(check: string): Promise<void> {
    const found: SeenChange[] = [];
    await this.#judge([check], (stage) => stage.wire(findGates(stage, (sighting) => found.push(sighting))));
    this.#recording.noteRun(check, found);
  }

  /** Counts how often each place is met if all of these run. */
  async count(checks: readonly EngineCheck[], isWanted: (place: Place) => boolean): Promise<Meetings> {
    const { sightings } = await this.#watch(checks.map(({ id }) => id));
    const counts = new Map<string, number>();
    for (const { place } of sightings)
      if (isWanted(place)) counts.set(placeId(place), (counts.get(placeId(place)) ?? 0) + 1);
    return counts;
  }

  async #watch(checks: readonly string[]): Promise<{ sightings: readonly SeenChange[]; stage: Setup }> {
    const sightings: SeenChange[] = [];
    const observer: SeeExchange = (passing, result) => sightings.push(...sightingsOf(passing, result));
    const stage = await this.#judge(checks, (one) => one.wire(watchingDeliveries(one, sightings), observer));
    return { sightings, stage };
  }

  async #judge(
    among: readonly string[],
    wireOn: (stage: Setup) => ReturnType<Setup['wire']>,
  ): Promise<Setup> {
    const stages: Setup[] = [];
    await judgeReference({
      checks: this.#checks,
      seed: this.#seed,
      among: new Set(among),
      maxRequests: wireRequests,
      wire: (clock) => {
        const stage = new Setup({ clock, known: knownKeys(this.#seed), templates: this.#templates });
        stages.push(stage);
        return wireOn(stage);
      },
    });
    const [stage] = stages;
    if (!stage) throw new Error('expected a run to be wired');
    return stage;
  }
}

function watchingDeliveries(stage: Setup, sightings: SeenChange[]): Interference {
  return onRecords((store, target) => (arrival, given) => {
    const registration = stage.registrations.of(target);
    const traits = registration && stage.deliveryTraits(registration, arrival);
    if (traits) sightings.push(...sightingsOfDelivery(arrival, traits));
    return store(arrival, given);
  });
}

function nameOf({ operation, carrier }: Template): string {
  return `${operation} ${carrier}`;
}

/** The keys of the reference. */
export function knownKeys(seed: number): KnownKeys {
  const { primary, other, ...special } = defaultEnterprises(seed).keys;
  return { primary, other, special: Object.values(special) };
}
