import type { CheckTimes } from '../evidence/readEvidence.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { casesOf } from '../cases.ts';
import { gateOf } from '../gate.ts';
import { sourceText } from '../sources.ts';
import { stateOf, type State } from '../states.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { noEvidence, type ShownEvidence } from '../page/pageData.ts';
import { storyLines } from '../page/storyLines.ts';
import { printable, shorten } from '../text/printable.ts';
import { storyOf } from './storyOf.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** A known failure does not count as one of this run, as in the exit code. */
const ctrfStatus: Readonly<Record<State, Status>> = {
  pass: 'passed',
  fail: 'failed',
  known: 'skipped',
  warn: 'passed',
  observed: 'passed',
  skipped: 'skipped',
  'not-applicable': 'skipped',
  inconclusive: 'other',
};

/** The run in the Common Test Report Format: a test for each requirement. `times` comes from the evidence, by check. */
export function renderCtrf(
  result: RunResult,
  times: ReadonlyMap<string, CheckTimes>,
  evidence: ShownEvidence = noEvidence,
): string {
  const findings = Map.groupBy(result.findings, ({ requirement }) => requirement);
  const tests = casesOf(result).map((row) => testOf(row, findings.get(row.id) ?? [], { times, evidence }));
  const having = (wanted: Status) => tests.filter(({ status }) => status === wanted).length;
  const start = Date.parse(result.run.startedAt);
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(start + result.run.durationMs).toISOString(),
    generatedBy: `${result.tool.name} ${result.tool.version}`,
    results: {
      tool: { name: result.tool.name, version: result.tool.version },
      summary: {
        tests: tests.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: having('pending'),
        other: having('other'),
        start,
        stop: Math.round(start + result.run.durationMs),
      },
      tests,
      environment: {
        appName: say(result.target.baseUrl ?? result.target.kind),
        extra: {
          verdict: result.summary.verdict,
          gate: gateOf(result.summary)?.state,
          profile: result.run.profile,
          seed: result.run.seed,
        },
      },
    },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function testOf(
  row: RequirementResult,
  findings: readonly Finding[],
  { times, evidence }: { readonly times: ReadonlyMap<string, CheckTimes>; readonly evidence: ShownEvidence },
): { readonly status: Status } & Readonly<Record<string, unknown>> {
  const own = row.checks.flatMap((check) => times.get(check) ?? []);
  const [first] = findings;
  const message = first?.message ?? row.reason;
  const state = stateOf(row);
  return {
    name: say(`${row.id} ${row.title}`),
    status: ctrfStatus[state],
    duration: Math.round(own.reduce((ms, { busyMs }) => ms + busyMs, 0)),
    ...(own.length === 0 ? {} : spanOf(own)),
    suite: [say(sourceText(row.source.slice(0, 1)) || 'other')],
    rawStatus: state,
    tags: [row.level],
    ...(message === null || row.verdict === 'pass' ? {} : { message: say(message) }),
    ...(first === undefined ? {} : { trace: say(findings.map((one) => storyOf(one, row)).join('\n\n')) }),
    ...(first === undefined ? {} : { steps: stepsIn(first, evidence) }),
  };
}

function spanOf(times: readonly CheckTimes[]): { readonly start: number; readonly stop: number } {
  return {
    start: Math.min(...times.map(({ startMs }) => startMs)),
    stop: Math.round(Math.max(...times.map(({ endMs }) => endMs))),
  };
}

function stepsIn(finding: Finding, evidence: ShownEvidence): readonly object[] {
  return storyLines(finding, evidence)
    .slice(-50)
    .map(({ text, isDecisive }) => ({ name: say(text), status: isDecisive ? 'failed' : 'passed' }));
}

function say(text: string): string {
  return printable(shorten(text, 4000)).toWellFormed();
}
