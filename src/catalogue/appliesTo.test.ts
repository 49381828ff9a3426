import { expect, test } from 'vitest';
import { appliesTo } from './appliesTo.ts';
import { loadCatalogue } from './loadCatalogue.ts';

const catalogue = loadCatalogue();

test('rows of the chosen API and the shared ones apply', () => {
  const applies = appliesTo(['webcheckin']);
  expect(applies(catalogue.get('WCI-SUB-001'))).toBe(true);
  expect(applies(catalogue.get('SHR-AUT-004'))).toBe(true);
  expect(applies(catalogue.get('FLA-GET-001'))).toBe(false);
  expect(applies(catalogue.get('SHR-ERR-022'))).toBe(false);
});

test('a shared row that takes both APIs applies only where both are chosen', () => {
  const budgetShared = catalogue.get('SHR-LIM-014');
  expect(appliesTo(['flight-alerts'])(budgetShared)).toBe(false);
  expect(appliesTo(['flight-alerts', 'webcheckin'])(budgetShared)).toBe(true);
});

test('both APIs together take every row', () => {
  const rows = [...catalogue.requirements, ...catalogue.openPoints];
  expect(rows.filter(appliesTo(['webcheckin', 'flight-alerts']))).toHaveLength(rows.length);
});
