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
  const shares = { one: 1, two: 3 };
  const steerer = new Steerer(situations, { shares, random: createRandom(seed) });
  return Array.from({ length: count }, () => {
    const next = steerer.next(stage, { most });
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

  it('spreads what it spends over the families by their shares', () => {
    const both = ['one', 'two'].flatMap((family) =>
      Array.from({ length: 40 }, (_, at) =>
        situation(`${family} ${at}`, { family, cells: [`${family} ${at}`] }),
      ),
    );
    const names = taken(both, { count: 40 });
    const ofTwo = names.filter((name) => name?.startsWith('two')).length;
    expect(ofTwo).toBeGreaterThanOrEqual(27);
    expect(ofTwo).toBeLessThanOrEqual(33);
  });

  it('takes nothing that is impossible or too dear', () => {
    const dear = situation('dear', { price: 20 });
    expect(taken([dear, situation('no')], { count: 1, stage: { impossible: ['no'] } })).toEqual([null]);
  });
});
