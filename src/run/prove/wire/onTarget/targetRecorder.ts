import type { Exchange } from '../../../../core/evidence.ts';
import type { EngineCheck } from '../../../../engine/suite.ts';
import { onRecords } from '../../../../wire/layers.ts';
import { placeId } from '../../../../wire/mutants/place.ts';
import { Recording } from '../../../../wire/mutants/recording.ts';
import { sightingsOf, sightingsOfDelivery, type SeenChange } from '../../../../wire/mutants/sightings.ts';
import { mutantsOf, type TabledMutant } from '../../../../wire/mutants/table.ts';
import type { Interference, SeeExchange, Setup } from '../../../../wire/stage.ts';
import type { WireResult } from '../../../../send/transport.ts';

/** Notes which places one run of all checks meets, and the checks whose requests led there. */
export class TargetRecorder {
  /** Changes seen in exchanges whose check is not known yet, by their timings, which identify the exchange. */
  readonly #open = new Map<WireResult['timings'], readonly SeenChange[]>();
  readonly #byCheck = new Map<string, SeenChange[]>();
  readonly #requests = new Map<string, number>();
  /** Bodies that registered an address, by the check that sent them. */
  readonly #registered: { readonly check: string; readonly body: string }[] = [];

  /** Requests that a check sent. */
  requestsOf(check: string): number {
    return this.#requests.get(check) ?? 0;
  }

  readonly observer: SeeExchange = (passing, result) => {
    this.#open.set(result.timings, sightingsOf(passing, result));
  };

  readonly onExchange = ({ check, timings, operation, request }: Exchange): void => {
    this.#requests.set(check, this.requestsOf(check) + 1);
    this.#note(check, this.#open.get(timings) ?? []);
    this.#open.delete(timings);
    if (request.body === null || operation?.endsWith('.subscribe') !== true) return;
    const body = Buffer.from(request.body).toString('latin1');
    if (body.includes('callbackUrl')) this.#registered.push({ check, body });
  };

  /** Notes the deliveries of a stage. */
  deliveriesOf(stage: Setup): Interference {
    return onRecords((store, target) => (arrival, given) => {
      const registration = stage.registrations.of(target);
      const cause = this.#registered.findLast(({ body }) => body.includes(target));
      if (registration && cause)
        this.#note(cause.check, sightingsOfDelivery(arrival, stage.deliveryTraits(registration, arrival)));
      return store(arrival, given);
    });
  }

  /** The mutants of the places that were met. Records that checks share count for all that use them. */
  table(checks: readonly EngineCheck[], seed: number): readonly TabledMutant[] {
    const recording = new Recording();
    const meetings = new Map<string, number>();
    for (const [sender, sightings] of this.#byCheck) {
      for (const { place } of sightings)
        meetings.set(placeId(place), (meetings.get(placeId(place)) ?? 0) + 1);
      for (const check of sendersOf(sender, checks)) recording.noteRun(check, sightings);
    }
    return mutantsOf(recording.places, meetings, seed).filter(({ mutant }) => isTriedOver(mutant));
  }

  #note(check: string, sightings: readonly SeenChange[]): void {
    if (sightings.length === 0) return;
    const known = this.#byCheck.get(check) ?? [];
    this.#byCheck.set(check, known);
    known.push(...sightings);
  }
}

/** The checks themselves, or those that use a record of this name. */
function sendersOf(sender: string, checks: readonly EngineCheck[]): readonly string[] {
  if (checks.some(({ id }) => id === sender)) return [sender];
  return checks.filter(({ uses }) => uses.some((use) => sender.endsWith(use))).map(({ id }) => id);
}

/** Filling the limits takes thousands of requests and more than minutes. */
function isTriedOver({ family, status }: TabledMutant['mutant']): boolean {
  return family !== 'limiter' && status !== 429;
}
