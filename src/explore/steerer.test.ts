import { describe, expect, it } from 'vitest';
import { createRandom } from '../core/random.ts';
import type { Situation } from './situation.ts';
import { Steerer } from './steerer.ts';

interface Stage {
  readonly impossible: readonly string[];
}

const situation = (name: string, more: Partial<Situation<Stage>> = {}): Situation<Stage> => ({
  ...{ name, family: 'one', cells: ['all', name], price: 1, worth: 1 },
  isPossible: ({ impossible }) => !impossible.includes(name),
  bring: () => Promise.resolve(),
  ...more,
});

const anything: Stage = { impossible: [] };

function taken(
  situations: readonly Situation<Stage>[],
  { count = 12, seed = 1, stage = anything, most = 10 } = {},
) {
  const steerer = new Steerer(situations, { random: createRandom(seed) });
  return Array.from({ length: count }, () => {
    const next = steerer.next(stage, { most, units: 1 });
    if (next) steerer.take(next);
    return next?.name ?? null;
  });
}

describe('the steerer', () => {
  const many = Array.from({ length: 30 }, (_, at) => situation(`s${at}`));

  it('takes the same sequence for the same seed, and another one for another seed', () => {
    expect(taken(many, { seed: 7 })).toEqual(taken(many, { seed: 7 }));
    expect(taken(many, { seed: 7 })).not.toEqual(taken(many, { seed: 8 }));
  });

  it('repeats nothing as long as something new is left', () => {
    expect(new Set(taken(many, { count: 30 })).size).toBe(30);
  });

  it('takes what reaches a coarse cell before what only reaches a finer one', () => {
    const one = situation('first of a', { cells: ['a', 'a 1'] });
    const same = situation('second of a', { cells: ['a', 'a 2'] });
    const other = situation('first of b', { cells: ['b', 'b 1'] });
    expect(taken([one, same, other], { count: 3 }).slice(0, 2).toSorted()).toContain('first of b');
    expect(taken([one, same, other], { count: 3 })[2]).toMatch(/ of a$/);
  });

  it('takes as many of each family as it has cells', () => {
    const both = [10, 30].flatMap((size) =>
      Array.from({ length: 200 }, (_, at) =>
        situation(`${size} ${at}`, { family: `${size}`, cells: [`${size} ${at % size}`, `${size} ${at}`] }),
      ),
    );
    const names = taken(both, { count: 40 });
    expect(names.filter((name) => name?.startsWith('30'))).toHaveLength(30);
  });

  it('takes what brings several things about before what brings one about', () => {
    const bundle = situation('bundle', { beside: [['b'], ['c']], price: 1.3 });
    expect(taken([...many, bundle], { count: 1 })).toEqual(['bundle']);
  });

  it('takes nothing that is impossible or too dear', () => {
    const dear = [situation('dear', { price: 20 }), situation('unit', { units: 2 })];
    expect(taken([...dear, situation('no')], { count: 1, stage: { impossible: ['no'] } })).toEqual([null]);
  });
});
