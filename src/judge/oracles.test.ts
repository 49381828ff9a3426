import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { oracles } from './oracles.ts';

describe('the list of oracles', () => {
  test('has unique ids', () => {
    const ids = oracles.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['answers', false],
    ['callbacks', true],
  ])('gives each requirement to one oracle that judges %s', (_what, ofCallbacks) => {
    const some = oracles.filter(({ createWatch }) => (createWatch().delivery !== undefined) === ofCallbacks);
    const ids = some.flatMap(({ verifies }) => verifies);
    expect(ids.length).toBeGreaterThan(0);
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
