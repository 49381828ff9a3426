import { expect, it } from 'vitest';
import { sampleFinding, sampleRequirement, sampleResult } from '../../test/support/sampleResult.ts';
import { ansiPalette } from '../core/palette.ts';
import { renderConsole } from './renderConsole.ts';

const reports = ['reports/latest/report.html'];

it('ends with the verdict, what it rests on, and where the reports are', () => {
  expect(renderConsole(sampleResult(), reports)).toMatchInlineSnapshot(`
    "1) ✗ fail WCI-STS-004  must · Web Check-in: GET /extPartner/api/webcheckin/status
       Status of an unknown checkin_id is 404 NOT_FOUND.
       case     GET /extPartner/api/webcheckin/status?checkin_id=wci_000000000001
       expected 404 with error NOT_FOUND
       actual   400 with error VALIDATION_ERROR
       look at  What turns the stored attempt into an answer.
       again    gatecheck replay WCI-STS-004.997d5a67

    ✗ NONCONFORMANT, gate not met: 1 requirement failed  https://qa.example · profile standard · seed 42
      1 requirement failed.
      2 of 6 musts judged (33 %), 1 not applicable, 1 cannot be observed from outside
      1 passed · 1 failed · 1 warned · 1 observed · 1 not applicable · 2 skipped · 1 inconclusive
      312 requests · 14 callbacks · 9 quota units · 2 min 12 s

      ? FLA-CB-001: the sink was not reachable from the target

      Next: One cause explains what failed. Start with WCI-STS-004.
      Once it is fixed: gatecheck run --only-failed --target https://qa.example

      1 skipped: needs revoked-key: set GATECHECK_KEY_REVOKED
      1 skipped: cannot be observed from outside

      reports/latest/report.html
    "
  `);
});

it('says little where there is nothing to say', () => {
  const { summary } = sampleResult();
  const clean = {
    ...summary,
    verdict: 'conformant' as const,
    gate: { state: 'met' as const, because: [] },
    ...{ failed: 0, warned: 0, observed: 0, skipped: 0, inconclusive: 0, reasons: [] },
  };
  const requirements = [sampleRequirement()];
  const result = sampleResult({ summary: clean, findings: [], requirements });
  expect(renderConsole(result, reports)).toMatchInlineSnapshot(`
    "✓ CONFORMANT, gate met  https://qa.example · profile standard · seed 42
      2 of 6 musts judged (33 %), 1 not applicable, 1 cannot be observed from outside
      1 passed
      312 requests · 14 callbacks · 9 quota units · 2 min 12 s

      reports/latest/report.html
    "
  `);
});

it('prints the command that takes stale entries out of the baseline', () => {
  const own = sampleResult();
  const gate = {
    state: 'not-met' as const,
    because: ['a baseline entry is stale'],
    stale: ['WCI-STS-001.1a2b3c4d'],
  };
  const result = { ...own, findings: [], summary: { ...own.summary, gate } };
  expect(renderConsole(result, reports)).toContain(
    `\n  Without the stale entries: ${own.run.command} --update-baseline\n`,
  );
});

it('says which musts stayed undecided, and why', () => {
  const row = (id: string, more: object) => sampleRequirement({ id, verdict: 'inconclusive', ...more });
  const requirements = [
    ...['WCI-STS-001', 'WCI-STS-002'].map((id) => row(id, { reason: 'the list is too long' })),
    row('WCI-STS-003', { reason: 'its check ended earlier', heldBackBy: ['WCI-STS-004.997d5a67'] }),
    row('WCI-STS-005', { level: 'should', reason: 'no sample' }),
  ];
  const text = renderConsole(sampleResult({ findings: [], requirements }), reports);
  expect(text).toContain('  ? WCI-STS-001 WCI-STS-002: the list is too long\n');
  expect(text).not.toMatch(/WCI-STS-00[35]/);
});

it('counts what the baseline knows and what is beyond ten', () => {
  const findings = [
    ...Array.from({ length: 12 }, (_, index) =>
      sampleFinding({ requirement: `WCI-STS-${100 + index}`, check: `c${index}`, exchanges: [`x${index}`] }),
    ),
    sampleFinding({ baselined: true }),
  ];
  const text = renderConsole(sampleResult({ findings }), reports);
  expect(text).toContain('2 more causes, in full in the report:');
  expect(text).toContain('1 finding listed in the baseline');
});

it('paints by the palette only', () => {
  expect(renderConsole(sampleResult(), reports)).not.toContain('\u001b');
  expect(renderConsole(sampleResult(), reports, { palette: ansiPalette })).toContain(
    '\u001b[31m✗ NONCONFORMANT, gate not met: 1 requirement failed\u001b[39m',
  );
});
