import { createRandom, deriveSeed } from '../../core/random.ts';
import type { OperationId } from '../../core/operations.ts';
import { conditionIds, type Condition } from '../traits.ts';
import { deafOperators } from './deafness.ts';
import { credentialOperators, deliveryOperators } from './deliveries.ts';
import { effects, writes } from './effects.ts';
import { limiterOperators } from './limiters.ts';
import { mutantOf, placeId, type Mutant, type Place } from './place.ts';
import { isContextual, type Reach, type SeenPlace } from './recording.ts';
import { statusOperators } from './statuses.ts';
import { applies, valueOperators } from './valueOperators.ts';

/** A mutant, and the checks that meet its place under its condition. */
export interface TabledMutant {
  readonly mutant: Mutant;
  readonly checks: readonly string[];
}

/** How often each place is met in a run of all checks, by its id. */
export type Meetings = ReadonlyMap<string, number>;

/**
 * All mutants of the places that were seen: each operator always, and under each further condition one operator that is
 * drawn by the seed.
 */
export function mutantsOf(
  places: readonly SeenPlace[],
  meetings: Meetings,
  seed: number,
): readonly TabledMutant[] {
  return places.flatMap((seen) => {
    const operators = operatorsOf(seen);
    const id = placeId(seen.place);
    const middle = Math.floor((meetings.get(id) ?? 0) / 2);
    const tabled = (operator: string, condition: Condition) => ({
      mutant: mutantOf(seen.place, operator, condition, condition === 'restarted' ? middle : 0),
      checks: [
        ...(reachOf(seen, operator)
          .get(condition === 'restarted' ? 'always' : condition)
          ?.keys() ?? []),
      ],
    });
    return conditionIds.flatMap((condition) => {
      if (condition === 'restarted' && middle === 0) return [];
      const able = operators.filter((operator) => isTold(reachOf(seen, operator), condition));
      const chosen = condition === 'always' ? able : drawn(able, deriveSeed(seed, `${id}@${condition}`));
      return chosen.map((operator) => tabled(operator, condition));
    });
  });
}

function reachOf(seen: SeenPlace, operator: string): Reach {
  return isContextual(operator) ? (seen.reachOf.get(operator) ?? new Map()) : seen.reach;
}

/** Whether a condition tells some messages from others: one that holds for all of them changes nothing. */
function isTold(reach: Reach, condition: Condition): boolean {
  const all = totalOf(reach.get('always'));
  if (condition === 'always' || condition === 'restarted') return all > 0;
  const met = totalOf(reach.get(condition));
  return met > 0 && met < all;
}

function drawn<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const index = Math.floor(createRandom(seed)() * items.length);
  return items.slice(index, index + 1);
}

function totalOf(counts: ReadonlyMap<string, number> = new Map()): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function operatorsOf({ place, kinds }: SeenPlace): readonly string[] {
  switch (place.family) {
    case 'answer':
      return place.path.startsWith('header.') ? ['omit', 'empty', 'type'] : valueOperatorsFor(kinds);
    case 'status':
      return statusOperators(place.status ?? 0);
    case 'deaf':
      // Of what carries the other inputs, and of who asks, only the loss is a mistake of this kind.
      return ['key', 'type', 'query', 'body'].includes(place.path) ? ['removed'] : deafOperators;
    case 'effect':
      return effects.filter(({ operations }) => isOf(operations, place)).map(({ id }) => id);
    case 'gate':
      // What is read is not done by being read.
      return writes.some((write) => write === place.about) ? ['opened', 'done'] : ['opened'];
    case 'delivery':
      if (place.path === '') return [...Object.keys(deliveryOperators), ...Object.keys(credentialOperators)];
      return place.path.startsWith('header.') ? ['omit', 'type'] : valueOperatorsFor(kinds);
    case 'limiter':
      return Object.keys(limiterOperators);
  }
}

function valueOperatorsFor(kinds: SeenPlace['kinds']): readonly string[] {
  const all = new Set(kinds);
  return valueOperators.filter(({ id }) => applies(id, all)).map(({ id }) => id);
}

function isOf(operations: readonly OperationId[], { about }: Place): boolean {
  return operations.some((operation) => operation === about);
}

/** A sample of mutants: the same ones for the same seed, spread over the whole table. */
export function sampleMutants<Item>(items: readonly Item[], size: number, seed: number): readonly Item[] {
  if (size >= items.length) return items;
  const random = createRandom(deriveSeed(seed, 'sample'));
  const width = items.length / size;
  return Array.from({ length: size }, (_, index) => items[Math.floor((index + random()) * width)]).filter(
    (item) => item !== undefined,
  );
}
