import { expect, test } from 'vitest';
import { compare, point, resultOf } from '../../../test/support/comparedResults.ts';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import { plainPalette } from '../../core/palette.ts';
import type { RequirementResult } from '../result.ts';
import { makeMatrix } from './matrix.ts';
import { renderDiffMarkdown, renderDiffText } from './renderDiff.ts';
import { renderMatrixHtml, renderMatrixMarkdown } from './renderMatrix.ts';

test('renders for people', () => {
  const diff = compare(resultOf('pass', point('no-retry')), resultOf('fail', point('retries')));
  expect(renderDiffText(diff, plainPalette)).toMatchInlineSnapshot(`
    "  before  https://qa.example · profile standard · seed 42, 2026-01-31 10:00
      after   https://qa.example · profile standard · seed 42, 2026-01-31 10:00

    Newly failing (1)
      WCI-STS-001  because it is fail

    Open points answered differently (1)
      WCI-OPN-012  How often? no-retry → retries
    "
  `);
  expect(renderDiffMarkdown(diff)).toMatchInlineSnapshot(`
    "## Gatecheck: 1 requirement newly failing

    Before: https\\://qa.example · profile standard · seed 42, 2026-01-31 10:00  
    After: https\\://qa.example · profile standard · seed 42, 2026-01-31 10:00

    ### Newly failing (1)

    - **WCI-STS-001** because it is fail

    ### Open points answered differently (1)

    - **WCI-OPN-012** How often? no-retry → retries
    "
  `);
  expect(renderDiffMarkdown(compare(resultOf('pass'), resultOf('pass')))).toMatch(
    /^## Gatecheck: No difference\n/,
  );
});

test('what another budget leaves out stands in one line for each reason, whatever its numbers', () => {
  const [first, second, third, fourth] = ['WCI-STS-001', 'WCI-STS-002', 'WCI-STS-003', 'WCI-STS-004'].map(
    (id, index) => sampleRequirement({ id, verdict: 'skipped', reason: `takes ${index + 1} requests of 60` }),
  ) as [RequirementResult, RequirementResult, RequirementResult, RequirementResult];
  const other = sampleRequirement({ id: 'WCI-UPD-001', verdict: 'skipped', reason: 'no key' });
  const rows = [first, second, third, fourth, other];
  const before = resultOf('pass', {
    requirements: rows.map((row) => ({ ...row, verdict: 'pass', reason: null })),
  });
  const after = resultOf('pass', { requirements: rows, run: { ...before.run, profile: 'smoke' } });
  const text = renderDiffText(compare(before, after), plainPalette);
  expect(text.split('\n').slice(-4)).toEqual([
    'No longer judged (5)',
    '  WCI-STS-001, WCI-STS-002, WCI-STS-003 and 1 more  pass, now skipped: WCI-STS-001 takes 1 requests of 60',
    '  WCI-UPD-001  pass, now skipped: no key',
    '',
  ]);
  expect(renderDiffMarkdown(compare(before, after))).toContain('### No longer judged (5)');
});

test('targets stand side by side, and what differs stands out', () => {
  const { target } = sampleResult();
  const other = { target: { ...target, baseUrl: 'https://prod.example' } };
  const matrix = makeMatrix([
    resultOf('pass', point('retries (1 s)')),
    resultOf('fail', { ...other, ...point('retries (2 s)') }),
  ]);
  expect(matrix.columns).toEqual(['https://qa.example', 'https://prod.example']);
  expect(matrix.requirements.map(({ id, differs }) => [id, differs])).toEqual([['WCI-STS-001', true]]);
  expect(matrix.points.map(({ differs }) => differs)).toEqual([false]);
  expect(renderMatrixMarkdown(matrix)).toContain('| WCI-STS-001 | ✓ pass | ✗ fail |');
  const page = renderMatrixHtml(matrix, '1.0.0');
  expect(page).toContain('Requirements that differ (1)');
  expect(page).toContain('<td data-label="https://prod.example">nonconformant</td>');
});

test('the verdicts of a matrix lead to the finding in the report of their column', () => {
  const failed = resultOf('fail', { findings: [sampleFinding({ requirement: 'WCI-STS-001' })] });
  const page = renderMatrixHtml(makeMatrix([resultOf('pass'), failed], [null, '../qa/report.html']), '1');
  expect(page).toContain('<a href="../qa/report.html#finding-WCI-STS-004.997d5a67">');
  expect(page.match(/<a /g)).toHaveLength(2);
});

test('columns of one address are told apart', () => {
  expect(makeMatrix([resultOf('pass'), resultOf('pass')]).columns).toEqual([
    'https://qa.example 2026-01-31T10:00 (1)',
    'https://qa.example 2026-01-31T10:00 (2)',
  ]);
});

test('nothing of a target gets out of its place', () => {
  const nasty = '</td><script>alert(1)</script> | x `y` \u001b[31m';
  const [one, two] = [resultOf('pass'), resultOf('fail', {}, { reason: nasty, title: nasty })];
  const page = renderMatrixHtml(makeMatrix([one, two]), '1');
  expect(page).not.toContain('<script');
  expect(renderDiffText(compare(one, two), plainPalette)).not.toContain('\u001b');
  expect(renderDiffMarkdown(compare(one, two))).not.toContain('<script>');
});
