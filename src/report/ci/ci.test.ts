import { describe, expect, it, test } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import { schemaFaults } from '../../../test/support/schemaFaults.ts';
import { elementsOf } from '../../../test/support/wellFormedXml.ts';
import type { RunResult } from '../result.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge.ts';
import { renderCodeQuality } from './codeQuality.ts';
import { renderAnnotations } from './github.ts';
import { renderCtrf } from './ctrf.ts';
import { renderSarif } from './sarif.ts';

const known = sampleRequirement({ id: 'WCI-STS-009', verdict: 'fail', baselined: true, reason: 'known' });
const sample = sampleResult();
const result: RunResult = {
  ...sample,
  requirements: [...sample.requirements, known],
  findings: [
    sampleFinding(),
    sampleFinding({
      requirement: 'FLA-LKP-010',
      severity: 'warn',
      check: 'fla.lookup.order',
      level: 'should',
    }),
    sampleFinding({ requirement: 'WCI-STS-009', baselined: true }),
  ],
};
const nasty = '"><script>\u0000\u001b[2J\ud800 ‹x› \n::error::';
const strange: RunResult = {
  ...result,
  findings: [sampleFinding({ check: nasty, message: nasty, expected: nasty, actual: nasty, code: nasty })],
  requirements: [
    sampleRequirement({ id: 'WCI-STS-004', title: nasty, source: [{ document: nasty, section: nasty }] }),
  ],
};

interface Ctrf {
  readonly results: {
    readonly summary: Readonly<Record<string, number>>;
    readonly tests: readonly {
      readonly name: string;
      readonly status: string;
      readonly duration: number;
      readonly start?: number;
      readonly rawStatus: string;
    }[];
  };
}

describe('CTRF', () => {
  const time = { requests: 2, startMs: 1000, endMs: 9000.4, busyMs: 1234.5 };
  const report = JSON.parse(renderCtrf(result, new Map([['wci.status.unknown', time]]))) as Ctrf;

  it('is valid, with whatever stands in a result', () => {
    expect(schemaFaults('ctrf', report)).toEqual([]);
    expect(schemaFaults('ctrf', JSON.parse(renderCtrf(strange, new Map())))).toEqual([]);
  });

  it('counts as the exit code does: a known failure fails nothing, what stayed undecided is other', () => {
    expect(report.results.summary).toMatchObject({ tests: 9, passed: 3, failed: 1, skipped: 4, other: 1 });
    const one = report.results.tests.find(({ name }) => name.startsWith('WCI-STS-004'));
    expect(one).toMatchObject({ status: 'failed', duration: 1235, start: 1000, rawStatus: 'fail' });
    const other = report.results.tests.find(({ name }) => name.startsWith('WCI-STS-009'));
    expect(other).toMatchObject({ status: 'skipped', rawStatus: 'known' });
  });
});

interface Sarif {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly locations: readonly [
          { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } },
        ];
        readonly suppressions?: readonly unknown[];
      }[];
    },
  ];
}

describe('SARIF', () => {
  it('is valid, with whatever stands in a result', () => {
    expect(schemaFaults('sarif', JSON.parse(renderSarif(result)))).toEqual([]);
    expect(schemaFaults('sarif', JSON.parse(renderSarif(strange)))).toEqual([]);
    expect(schemaFaults('sarif', JSON.parse(renderSarif(sampleResult({ findings: [] }))))).toEqual([]);
  });

  it('has a rule for each broken requirement, and names the operation as the place', () => {
    const [run] = (JSON.parse(renderSarif(result)) as Sarif).runs;
    const { rules } = run.tool.driver;
    for (const one of run.results) expect(rules[one.ruleIndex]?.id).toBe(one.ruleId);
    expect(run.results.map(({ level }) => level)).toEqual(['error', 'warning', 'error']);
    expect(run.results[0]?.locations[0].physicalLocation.artifactLocation.uri).toBe(
      'extPartner/api/webcheckin/status',
    );
    expect(run.results.map(({ suppressions = [] }) => suppressions.length)).toEqual([0, 0, 1]);
  });
});

test('an annotation holds nothing that another service takes for a command', () => {
  const finding = sampleFinding({ actual: '##[error]x ##vso[task.complete]y ##teamcity[z' });
  const text = renderAnnotations({ ...result, findings: [finding] });
  expect(text).toMatch(/^::error title=/);
  expect(text).not.toMatch(/##(?:vso|teamcity)?\[/);
});

describe('code quality', () => {
  it('is valid, without what the baseline knows, and with fingerprints of their own', () => {
    const twice = { ...result, findings: [...result.findings, sampleFinding()] };
    const issues = JSON.parse(renderCodeQuality(twice)) as { fingerprint: string; severity: string }[];
    expect(schemaFaults('code-quality', issues)).toEqual([]);
    expect(schemaFaults('code-quality', JSON.parse(renderCodeQuality(strange)))).toEqual([]);
    expect(issues.map(({ severity }) => severity)).toEqual(['critical', 'minor', 'critical']);
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});

test.each([
  ['conformant', 'conformant', 'brightgreen'],
  ['partial', 'partial 33 %', 'yellowgreen'],
  ['nonconformant', '1 failed', 'red'],
  ['inconclusive', 'inconclusive', 'lightgrey'],
] as const)('the badge of %s says %s in %s', (verdict, message, color) => {
  const gate = { state: 'met' as const, because: [] };
  const one = { ...sample, summary: { ...sample.summary, verdict, gate } };
  const json = JSON.parse(renderBadgeJson(one)) as object;
  expect(json).toMatchObject({ message, color });
  expect(schemaFaults('shields-endpoint', json)).toEqual([]);
  const svg = renderBadgeSvg(one);
  expect(elementsOf(svg)[0]).toBe('svg');
  expect(svg).toContain(`conformance: ${message}`);
});
