import type { Steerer } from '../steerer.ts';
import type { OwnFlight, Subscribed } from './exploredFlights.ts';
import type { DueLook } from '../webcheckin/looks.ts';
import type { FlightStage } from './flightStage.ts';
import { legNameOf } from './repeats.ts';

/** The look that shows most: a lookup, or the same subscribe again, which shows its leg as well. */
export function dueFlightLook(stage: FlightStage, steerer: Steerer<FlightStage>): DueLook | null {
  const looks = [
    ...stage.known.flatMap((flight) => byLookup(stage, steerer, flight) ?? []),
    ...stage.flights.subscriptions.flatMap((one) => bySubscribe(stage, steerer, one) ?? []),
  ];
  return looks.reduce<DueLook | null>(
    (best, one) => (best === null || one.gain > best.gain ? one : best),
    null,
  );
}

function byLookup(stage: FlightStage, steerer: Steerer<FlightStage>, flight: OwnFlight): DueLook | null {
  if (flight.unseen.size === 0) return null;
  const beside = chainsOf('lookup', flight.unseen);
  return { beside, gain: gainOf(steerer, beside), look: () => stage.look(flight).then(() => undefined) };
}

function bySubscribe(stage: FlightStage, steerer: Steerer<FlightStage>, one: Subscribed): DueLook | null {
  if (one.unseen.size === 0 || !stage.isAhead(one.flight)) return null;
  const beside = chainsOf('subscribe', one.unseen);
  const { flight, body, callback, home } = one;
  const options = { home, key: stage.ownerOf(one), what: 'again identical' };
  const again = callback ? { ...body, callbackData: callback } : body;
  const leg = legNameOf(one);
  // What a subscribe shows is the same snapshot: a lookup shows it for all legs at once.
  return {
    ...{ beside, gain: lessTelling * gainOf(steerer, beside) },
    look: async () => {
      await stage.subscribeTo({ flight, leg }, again, options);
      one.unseen.clear();
    },
  };
}

const lessTelling = 0.7;

/** What happened, seen at all and seen here, from coarse to fine: what it was called begins with its kind. */
function chainsOf(look: string, unseen: Iterable<string>): readonly (readonly string[])[] {
  return [...unseen].flatMap((what) => {
    const words = what.split(' ');
    const kinds = words.map((_word, at) => words.slice(0, at + 1).join(' '));
    return [
      kinds.map((kind) => `seen ${kind}`),
      [`look ${look}`, ...kinds.map((kind) => `look ${look} ${kind}`)],
    ];
  });
}

/** Of the two chains, each counts half. */
function gainOf(steerer: Steerer<FlightStage>, chains: readonly (readonly string[])[]): number {
  return chains.reduce((sum, chain) => sum + steerer.noveltyOf(chain), 0) / 2;
}
