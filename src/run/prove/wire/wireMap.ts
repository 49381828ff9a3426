import type { Family } from '../../../wire/mutants/place.ts';
import { counts, type MutantOutcome } from './outcomes.ts';

/** Totals of some mutants. */
export interface Sums {
  readonly mutants: number;
  readonly noticed: number;
  readonly accepted: number;
  /** Nothing failed, but a must is no longer decided, or the run was aborted. */
  readonly undecided: number;
  readonly missed: number;
  /** Those of the missed for which a must only warned: it did not show again when it was repeated. */
  readonly warned: number;
  /** Those that changed nothing. */
  readonly idle: number;
  /** Percentage noticed of all that are not accepted; null if there are none. */
  readonly score: number | null;
}

/** `seen`: every change is noticed; `partly`: some are; `grey`: none is; `free`: there is nothing to notice. */
export type Tone = 'seen' | 'partly' | 'grey' | 'free';

/** One place of the map. */
export interface MapPlace {
  readonly family: Family;
  readonly about: string;
  /** Status of the answer, or what carries the inputs. */
  readonly at: string;
  readonly path: string;
  readonly tone: Tone;
  readonly sums: Sums;
}

export function sumsOf(outcomes: readonly MutantOutcome[]): Sums {
  const count = (...wanted: readonly MutantOutcome['outcome'][]) =>
    outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  const counted = outcomes.filter(counts).length;
  const noticed = count('noticed');
  return {
    mutants: outcomes.length,
    noticed,
    accepted: count('accepted'),
    undecided: count('undecided', 'stopped'),
    missed: count('missed', 'warned', 'late', 'fault'),
    warned: count('warned'),
    idle: count('idle'),
    score: counted === 0 ? null : (100 * noticed) / counted,
  };
}

/** Totals by a name of each mutant, in the order of the mutants. */
export function sumsBy(
  outcomes: readonly MutantOutcome[],
  nameOf: (outcome: MutantOutcome) => string,
): ReadonlyMap<string, Sums> {
  return new Map([...Map.groupBy(outcomes, nameOf)].map(([name, some]) => [name, sumsOf(some)]));
}

/** Every place at which something was changed, and whether that is noticed. */
export function mapOf(outcomes: readonly MutantOutcome[]): readonly MapPlace[] {
  const byPlace = Map.groupBy(outcomes, ({ mutant }) => JSON.stringify(placeOf(mutant)));
  return [...byPlace.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const sums = sumsOf(some);
    return [{ ...placeOf(first.mutant), tone: toneOf(sums), sums }];
  });
}

function placeOf({
  family,
  about,
  status,
  carrier,
  path,
}: MutantOutcome['mutant']): Omit<MapPlace, 'tone' | 'sums'> {
  return { family, about, at: String(status ?? carrier ?? ''), path };
}

function toneOf({ score, noticed }: Sums): Tone {
  if (score === null) return 'free';
  if (score === 100) return 'seen';
  return noticed > 0 ? 'partly' : 'grey';
}
