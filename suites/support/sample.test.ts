import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/core/settings.ts';
import { rulesOf, sampled } from './sample.ts';

const rows = [
  { rule: 'A', name: 'a1' },
  { rule: 'A', name: 'a2' },
  { rule: 'A', name: 'a3' },
  { rule: 'B', name: 'b1' },
];
const sampleOf = (cases: number, seed: number) => sampled({ cases, settings: { seed } as Settings }, rows);

describe('sampled', () => {
  it('takes one row of each rule where there is a single case', () => {
    expect(sampleOf(1, 7).map(({ rule }) => rule)).toEqual(['A', 'B']);
  });

  it('takes the same rows with the same seed, and each row with some seed', () => {
    expect(sampleOf(1, 7)).toEqual(sampleOf(1, 7));
    const seen = new Set(Array.from({ length: 50 }, (_, seed) => sampleOf(1, seed)[0]?.name));
    expect([...seen].sort()).toEqual(['a1', 'a2', 'a3']);
  });

  it.each([0, 2, 20])('takes all rows with %i cases', (cases) => {
    expect(sampleOf(cases, 7)).toEqual(rows);
  });
});

describe('rulesOf', () => {
  it('names each rule once, in the order of the rows', () => {
    expect(rulesOf(rows)).toEqual(['A', 'B']);
  });
});
