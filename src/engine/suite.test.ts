import { describe, expect, it } from 'vitest';
import { countRows, rulesOf, sampleRows } from './suite.ts';

const rows = [
  { rule: 'A', name: 'a1' },
  { rule: 'A', name: 'a2' },
  { rule: 'A', name: 'a3' },
  { rule: 'B', name: 'b1' },
];

describe('sampleOf', () => {
  it('takes one row of each rule', () => {
    expect(sampleRows(rows, 7).map(({ rule }) => rule)).toEqual(['A', 'B']);
  });

  it('takes the same rows with the same seed, and each row with some seed', () => {
    expect(sampleRows(rows, 7)).toEqual(sampleRows(rows, 7));
    const seen = new Set(Array.from({ length: 50 }, (_, seed) => sampleRows(rows, seed)[0]?.name));
    expect([...seen].sort()).toEqual(['a1', 'a2', 'a3']);
  });

  it('takes a sample of each of several lists', () => {
    const { one, other } = sampleRows({ one: rows, other: rows.slice(3) }, 7);
    expect([one.length, other.length]).toEqual([2, 1]);
  });
});

describe('countRows', () => {
  it('counts the rows of one list or of several', () => {
    expect([countRows(rows), countRows({ one: rows, other: rows.slice(3) })]).toEqual([4, 5]);
  });
});

describe('rulesOf', () => {
  it('names each rule once, in the order of the rows', () => {
    expect(rulesOf(rows)).toEqual(['A', 'B']);
  });
});
