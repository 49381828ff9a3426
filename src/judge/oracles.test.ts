import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { oracles } from './oracles.ts';

describe('the list of oracles', () => {
  test('has unique ids', () => {
    const ids = oracles.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives each requirement to one oracle', () => {
    const ids = oracles.flatMap(({ verifies }) => verifies);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('names only requirements of the catalogue that may be judged', () => {
    const catalogue = loadCatalogue();
    const wrong = oracles
      .flatMap(({ verifies }) => verifies)
      .filter(
        (id) =>
          !catalogue.has(id) || catalogue.get(id).level === 'open' || catalogue.get(id).excused !== null,
      );
    expect(wrong).toEqual([]);
  });
});
