import { expect, test } from 'vitest';
import type { Api } from '../core/operations.ts';
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
  const ids = ['SHR-LIM-014', 'SHR-AUT-009', 'SHR-OPN-005', 'WCI-QTA-017'];
  const those = (apis: readonly Api[]) => ids.filter((id) => appliesTo(apis)(catalogue.get(id)));
  expect([those(['flight-alerts']), those(['webcheckin'])]).toEqual([[], []]);
  expect(those(['flight-alerts', 'webcheckin'])).toEqual(ids);
});

test('both APIs together take every row', () => {
  const rows = [...catalogue.requirements, ...catalogue.openPoints];
  expect(rows.filter(appliesTo(['webcheckin', 'flight-alerts']))).toHaveLength(rows.length);
});
