import { expect, test } from 'vitest';
import { sampleResult } from '../../test/support/sampleResult.ts';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { loadQuotes } from '../catalogue/loadQuotes.ts';
import { renderQuestions } from './renderRequirements.ts';

const catalogue = loadCatalogue();
const quotes = loadQuotes();

test('a question has both readings, the possible answers, what was observed and what depends on it', () => {
  const openPoints = [
    { id: 'WCI-OPN-001', title: 'x', observed: 'two-alphanumeric (of 3 tries)', pinned: null },
  ];
  const points = catalogue.openPoints.filter(({ id }) => id === 'WCI-OPN-001');
  const text = renderQuestions({ points, catalogue, quotes, results: [sampleResult({ openPoints })] });
  expect(text).toContain('## WCI-OPN-001: Which length of airline code is enforced?');
  expect(text).toContain(
    '> two alphanumeric characters (letters and digits are both allowed)\n>\n> Which airline-code length',
  );
  expect(text).toMatch(
    /- \[ \] `two-alphanumeric`: .* — \*\*observed\*\* at https\\:\/\/qa\.example, 2026-01-31\n/,
  );
  expect(text).toMatch(/- \[ \] `three-letters`: [^*\n]*\n/);
  expect(text).toContain('(of 3 tries)');
  expect(text).toMatch(/Rules that depend on it:\n\n- WCI-/);
});

test('every open point is a question, and every quote belongs to one', () => {
  const text = renderQuestions({ points: catalogue.openPoints, catalogue, quotes, results: [] });
  expect(text.match(/^## [A-Z]{3}-OPN-\d{3}: /gm)).toHaveLength(catalogue.openPoints.length);
  const ids = catalogue.openPoints.map(({ id }) => id);
  expect([...quotes.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test('what a deployment answers does not get out of its place', () => {
  const observed = 'x\n## <script> (`y`) | z';
  const openPoints = [{ id: 'WCI-OPN-001', title: 'x', observed, pinned: null }];
  const points = catalogue.openPoints.filter(({ id }) => id === 'WCI-OPN-001');
  const text = renderQuestions({ points, catalogue, quotes, results: [sampleResult({ openPoints })] });
  expect(text).not.toContain('<script>');
  expect(text.match(/^## /gm)).toHaveLength(1);
});
