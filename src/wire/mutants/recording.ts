import { isSame } from '../json.ts';
import { ValueBook } from '../values.ts';
import type { Condition } from '../traits.ts';
import { deafOperators, insteadOf } from './deafness.ts';
import { placeId, type Place } from './place.ts';
import type { SeenChange } from './sightings.ts';
import { valueOperators, type Kind } from './valueOperators.ts';

/** How often each check meets something, by condition. */
export type Reach = ReadonlyMap<Condition, ReadonlyMap<string, number>>;

/** A place, and by which checks it is met under each condition. Plain data, so that it crosses threads. */
export interface SeenPlace {
  readonly place: Place;
  readonly kinds: readonly Kind[];
  readonly reach: Reach;
  /** The same for the operators that need more than the place itself: only where they changed something. */
  readonly reachOf: ReadonlyMap<string, Reach>;
}

type GrowingReach = Map<Condition, Map<string, number>>;

interface Growing {
  readonly place: Place;
  readonly kinds: Set<Kind>;
  readonly reach: GrowingReach;
  readonly reachOf: Map<string, GrowingReach>;
}

/** Operators whose effect depends on what was seen before, or on what stands beside. */
const contextual: ReadonlySet<string> = new Set(['another', 'stale', 'neighbour', 'previous']);

/** Collects the places that checks meet, each check in a run of its own. */
export class Recording {
  readonly #places = new Map<string, Growing>();

  /** Takes what one check meets, in the order in which it meets it. */
  noteRun(check: string, sightings: readonly SeenChange[]): void {
    const values = new ValueBook();
    for (const sighting of sightings) this.#note(check, sighting, values);
  }

  /** All places, in the order in which they were met first. */
  get places(): readonly SeenPlace[] {
    return [...this.#places.values()].map(({ kinds, ...rest }) => ({ ...rest, kinds: [...kinds] }));
  }

  #note(check: string, sighting: SeenChange, values: ValueBook): void {
    const { place, traits, kind } = sighting;
    const id = placeId(place);
    const known: Growing = this.#places.get(id) ?? {
      ...{ place, kinds: new Set<Kind>(), reach: new Map(), reachOf: new Map() },
    };
    this.#places.set(id, known);
    if (kind !== null) known.kinds.add(kind);
    count(known.reach, traits, check);
    for (const operator of effective(sighting, id, values)) {
      const reach: GrowingReach = known.reachOf.get(operator) ?? new Map<Condition, Map<string, number>>();
      known.reachOf.set(operator, reach);
      count(reach, traits, check);
    }
  }
}

/** The contextual operators that would change what was seen. */
function effective({ place, seen }: SeenChange, id: string, values: ValueBook): readonly string[] {
  if (seen === null) return [];
  const { spot, subject } = seen;
  const before = values.ofAnother(id, subject);
  const changed =
    place.family === 'deaf'
      ? deafOperators.filter((operator) => !isSame(insteadOf(operator, spot.value, before), spot.value))
      : valueOperators
          .filter(({ id: operator }) => contextual.has(operator))
          .filter(({ edit }) => !isSame(edit(spot.value, { spot, place: id, subject, values }), spot.value))
          .map(({ id: operator }) => operator);
  values.note(id, subject, spot.value);
  return changed.filter((operator) => contextual.has(operator));
}

/** Whether an operator is met only where it was seen to change something. */
export function isContextual(operator: string): boolean {
  return contextual.has(operator);
}

function count(reach: GrowingReach, traits: Iterable<Condition>, check: string): void {
  for (const trait of traits) {
    const counts = reach.get(trait) ?? new Map<string, number>();
    reach.set(trait, counts.set(check, (counts.get(check) ?? 0) + 1));
  }
}
