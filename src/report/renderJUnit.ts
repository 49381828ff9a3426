import { casesOf } from './cases.ts';
import { sourceText } from './sources.ts';
import { stateOf, type State } from './states.ts';
import { renderLoadSuite } from './load/loadJUnit.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { RequirementResult, RunResult } from './result.ts';
import type { CheckTimes } from './evidence/readEvidence.ts';
import { noEvidence, type ShownEvidence } from './page/pageData.ts';
import { clipped, storyLines } from './page/storyLines.ts';
import { shorten } from './text/printable.ts';
import { escapeAttribute, escapeText } from './text/xml.ts';

const longest = 4000;

type Times = ReadonlyMap<string, CheckTimes>;

/**
 * JUnit XML for CI systems: a suite per section of the documents, a case per requirement, whose duration is that of its checks'
 * requests. `times` may be empty if there is no evidence.
 */
export function renderJUnit(
  result: RunResult,
  times: Times = new Map(),
  evidence: ShownEvidence = noEvidence,
): string {
  const findings = Map.groupBy(result.findings, ({ requirement }) => requirement);
  const rows = new Map(result.requirements.map((row) => [row.id, row]));
  const described = new Map(
    [...findings].map(([id, own]) => [
      id,
      own.map((finding) => ({ finding, text: describe(finding, rows.get(id), evidence) })),
    ]),
  );
  const { thresholds = [] } = result.load ?? {};
  const cases = casesOf(
    result,
    thresholds.some(({ met }) => !met),
  );
  const suites = Map.groupBy(cases, suiteName);
  // The schema of Jenkins has no `skipped` here.
  const totals = `${counts(cases, thresholds).join(' ')} time="${seconds(result.run.durationMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="gatecheck" ${totals}>`,
    ...[...suites].flatMap(([name, rows]) =>
      renderSuite({ name, rows, startedAt: result.run.startedAt }, described, times),
    ),
    ...(result.load === undefined ? [] : renderLoadSuite(result.load, result.run.startedAt)),
    '</testsuites>',
    '',
  ].join('\n');
}

type Outcome = 'failure' | 'error' | 'skipped' | 'ok';

/** A must that cannot be judged is an error, in line with exit code 3; what the baseline lists is skipped, with its name. */
function outcomeOf(row: RequirementResult): Outcome {
  const state = stateOf(row);
  return state === 'inconclusive' && row.level !== 'must' ? 'skipped' : outcomes[state];
}

const outcomes: Readonly<Record<State, Outcome>> = {
  pass: 'ok',
  fail: 'failure',
  known: 'skipped',
  warn: 'ok',
  observed: 'ok',
  'not-applicable': 'skipped',
  skipped: 'skipped',
  inconclusive: 'error',
};

function suiteName(row: RequirementResult): string {
  return shorten(sourceText(row.source.slice(0, 1)), 300) || 'other';
}

function counts(
  rows: readonly RequirementResult[],
  thresholds: readonly { readonly met: boolean }[] = [],
): readonly string[] {
  const gates = thresholds.map(({ met }): Outcome => (met ? 'ok' : 'failure'));
  const outcomes = [...rows.map(outcomeOf), ...gates];
  const having = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return [`tests="${outcomes.length}"`, `failures="${having('failure')}"`, `errors="${having('error')}"`];
}

function skippedIn(rows: readonly RequirementResult[]): number {
  return rows.filter((row) => outcomeOf(row) === 'skipped').length;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Total duration of the requests of some checks; passive checks take none. */
function timeOf(checks: Iterable<string>, times: Times): string {
  return seconds([...new Set(checks)].reduce((sum, check) => sum + (times.get(check)?.busyMs ?? 0), 0));
}

/** A finding with all that is said of it. */
interface Described {
  readonly finding: Finding;
  readonly text: string;
}

interface SuiteOfRows {
  readonly name: string;
  readonly rows: readonly RequirementResult[];
  readonly startedAt: string;
}

function renderSuite(
  { name, rows, startedAt }: SuiteOfRows,
  findings: ReadonlyMap<string, readonly Described[]>,
  times: Times,
): string[] {
  const title = escapeAttribute(name);
  const time = timeOf(
    rows.flatMap(({ checks }) => checks),
    times,
  );
  return [
    `  <testsuite name="${title}" ${counts(rows).join(' ')} skipped="${skippedIn(rows)}" time="${time}" timestamp="${startedAt.replace(/Z$/, '')}">`,
    ...rows.flatMap((row) => {
      const open = `    <testcase classname="${title}" name="${nameOf(row)}" time="${timeOf(row.checks, times)}"`;
      const inside = renderOutcome(row, findings.get(row.id) ?? []);
      return inside === '' ? [`${open}/>`] : [`${open}>`, `      ${inside}`, '    </testcase>'];
    }),
    '  </testsuite>',
  ];
}

function nameOf(row: RequirementResult): string {
  return escapeAttribute(`${row.id} ${shorten(row.title, 500)}`);
}

function renderOutcome(row: RequirementResult, findings: readonly Described[]): string {
  const outcome = outcomeOf(row);
  const reason = row.excused ?? row.reason ?? '';
  if (outcome === 'failure') return renderFailure(row, findings);
  if (outcome === 'ok') {
    const note = [stateOf(row), shorten(reason, longest), ...findings.map(({ text }) => text)]
      .filter(Boolean)
      .join('\n');
    return row.verdict === 'pass' ? '' : `<system-out>${escapeText(note)}</system-out>`;
  }
  return `<${outcome} message="${escapeAttribute(shorten(`${prefixOf(row)}${reason}`, longest))}"/>`;
}

/** Distinguishes what JUnit has only one word for. */
function prefixOf(row: RequirementResult): string {
  const state = stateOf(row);
  return state === 'skipped' ? '' : `${state}: `;
}

function renderFailure(row: RequirementResult, findings: readonly Described[]): string {
  const first = findings[0]?.finding;
  const message = escapeAttribute(shorten(first?.message ?? row.reason ?? row.title, longest));
  const type = escapeAttribute(shorten(first?.code ?? row.level, 100));
  return `<failure message="${message}" type="${type}">${escapeText(findings.map(({ text }) => text).join('\n\n'))}</failure>`;
}

function describe(finding: Finding, row: RequirementResult | undefined, evidence: ShownEvidence): string {
  const { reproduce, counterexample } = finding;
  const lines = [
    `${finding.check} (confirmed ${finding.confirmed})`,
    `expected: ${finding.expected}`,
    `actual:   ${finding.actual}`,
    ...(counterexample === null ? [] : [`counterexample: ${counterexample}`]),
    ...clipped(storyLines(finding, evidence).map(({ text }) => `  ${text}`)),
    `reproduce: ${reproduce.command}`,
    ...(reproduce.curl === null ? [] : [reproduce.curl]),
    ...(row?.advice === undefined ? [] : [`look at: ${row.advice.look}`]),
    `in the report: report.html#finding-${finding.fingerprint}`,
  ];
  return lines.map((line) => shorten(line, longest)).join('\n');
}
