import { describe, expect, it, test } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../../test/support/sampleResult.ts';
import { schemaFaults } from '../../../test/support/schemaFaults.ts';
import type { RunResult } from '../result.ts';
import { renderAnnotations } from './github.ts';
import { renderCtrf } from './ctrf.ts';

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

test('an annotation holds nothing that another service takes for a command', () => {
  const finding = sampleFinding({ actual: '##[error]x ##vso[task.complete]y ##teamcity[z' });
  const text = renderAnnotations({ ...result, findings: [finding] });
  expect(text).toMatch(/^::error title=/);
  expect(text).not.toMatch(/##(?:vso|teamcity)?\[/);
});
