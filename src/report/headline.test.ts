import { describe, expect, test } from 'vitest';
import { sampleLoad } from '../../test/support/sampleLoad.ts';
import { sampleFinding, sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';
import { noEvidence } from './page/pageData.ts';
import { allureResults } from './allure/allureResults.ts';
import { renderCtrf } from './ci/ctrf.ts';
import { renderAnnotations, renderOutputs } from './ci/github.ts';
import type { Gate } from './gate.ts';
import { headlineOf, headlineText } from './headline.ts';
import { renderLoadConsole } from './load/renderLoadConsole.ts';
import { renderConsole } from './renderConsole.ts';
import { renderHtml } from './renderHtml.ts';
import { renderJUnit } from './renderJUnit.ts';
import { renderMarkdown } from './renderMarkdown.ts';
import type { RunResult } from './result.ts';

function ending(gate: Gate, given: Partial<RunResult> = {}): RunResult {
  const { summary, ...rest } = sampleResult(given);
  const exitCode = { met: 0, 'not-met': 1, undecided: 3 }[gate.state];
  return { ...rest, summary: { ...summary, ...given.summary, gate, exitCode } };
}

const known = [sampleRequirement({ id: 'WCI-STS-004', verdict: 'fail', baselined: true, reason: 'known' })];
const passed = [sampleRequirement()];
const load = (verdict: RunResult['summary']['verdict']) => ({
  load: sampleLoad(),
  ...{ requirements: passed, findings: [], summary: { ...sampleResult().summary, verdict, failed: 0 } },
});
const missed: Gate = { state: 'not-met', because: ['1 threshold not met'] };

describe.for<[what: string, RunResult, headline: string]>([
  [
    'all that failed is known',
    ending({ state: 'met', because: ['1 known failure'] }, { requirements: known, findings: [] }),
    '✗ nonconformant, gate met: 1 known failure',
  ],
  [
    'an entry of the baseline is stale',
    ending(
      { state: 'not-met', because: ['a baseline entry is stale'] },
      { requirements: passed, findings: [], summary: { ...sampleResult().summary, verdict: 'conformant' } },
    ),
    '✗ conformant, gate not met: a baseline entry is stale',
  ],
  ['a load missed a threshold', ending(missed, load('partial')), '✗ load, gate not met: 1 threshold not met'],
  [
    'a load met its thresholds',
    ending({ state: 'met', because: ['2 thresholds met'] }, load('partial')),
    '✓ load, gate met: 2 thresholds met',
  ],
  [
    'a load was lost on the way',
    ending({ state: 'undecided', because: ['the target was lost'] }, load('inconclusive')),
    '? load inconclusive, gate undecided: the target was lost',
  ],
])('where %s', ([, result, headline]) => {
  const [mark = '', ...words] = headline.split(' ');
  const text = words.join(' ');
  const gate = text.slice(text.indexOf('gate '));

  test('every output for people begins with the same words', () => {
    expect(`${headlineOf(result).mark} ${headlineText(headlineOf(result))}`).toBe(headline);
    const terminal = result.load === undefined ? renderConsole(result, []) : renderLoadConsole(result, []);
    expect(terminal).toMatch(new RegExp(`^\\${mark} [A-Z ]+, ${gate}  `, 'm'));
    expect(renderMarkdown(result)).toMatch(new RegExp(`^## \\${mark} Gatecheck: ${text}\n`));
    expect(renderHtml(result)).toContain(`<title>Gatecheck: ${text}</title>`);
    expect(renderHtml(result)).toContain(`${mark}</span> ${text}</h1>`);
  });

  test('no output for programs is green beside an exit code that is not 0, nor red beside 0', () => {
    const isRed = result.summary.exitCode !== 0;
    expect(/<failure|<error/.test(renderJUnit(result))).toBe(isRed || result.load !== undefined);
    const ctrf = JSON.parse(renderCtrf(result, new Map())) as {
      results: { summary: Record<string, number> };
    };
    expect((ctrf.results.summary.failed ?? 0) + (ctrf.results.summary.other ?? 0) > 0).toBe(isRed);
    const allure = allureResults(result, noEvidence).map((one) => JSON.stringify(one));
    const isMuted = (one: string) => one.includes('"muted":true');
    expect(allure.some((one) => /"status":"(failed|broken)"/.test(one) && !isMuted(one))).toBe(isRed);
    expect(renderAnnotations(result).startsWith('::error ')).toBe(isRed);
    expect(renderOutputs(result, 'r')).toContain(`gate=${result.summary.gate?.state ?? ''}\n`);
  });
});

test('a selection says how many requirements it has, of how many', () => {
  const { about } = headlineOf(
    ending({ state: 'met', because: [] }, { run: { ...sampleResult().run, only: ['WCI-*'], onlyOf: 743 } }),
  );
  expect(about).toMatch(/^ \(\d+ of 743 requirements selected\)$/);
});

test('a must whose failure could not be repeated is inconclusive in every output', () => {
  const row = sampleRequirement({ id: 'WCI-STS-004', verdict: 'inconclusive', reason: 'not again' });
  const result = ending(
    { state: 'undecided', because: ['1 must inconclusive'] },
    {
      requirements: [row],
      findings: [sampleFinding({ severity: 'inconclusive', confirmed: '1 of 1' })],
      summary: { ...sampleResult().summary, verdict: 'inconclusive' },
    },
  );
  const terminal = renderConsole(result, []);
  expect(terminal).toContain('1) ? inconclusive WCI-STS-004  must');
  expect(terminal).toContain('\n  1 inconclusive\n');
  expect(renderMarkdown(result)).toContain('#### ? inconclusive WCI-STS-004');
  expect(renderHtml(result)).toContain('<span class="badge inconclusive">? inconclusive</span>');
  expect(renderJUnit(result)).toContain('<error message="inconclusive: not again"/>');
  expect(renderCtrf(result, new Map())).toContain('"rawStatus": "inconclusive"');
  expect(renderAnnotations(result)).toContain('::warning title=inconclusive WCI-STS-004 ');
  expect(allureResults(result, noEvidence)[0]?.description).toContain('; inconclusive, exercised');
  const all = [terminal, renderMarkdown(result), renderHtml(result), renderJUnit(result)].join('\n');
  expect(all).not.toMatch(/! warn|1 warned/);
});
