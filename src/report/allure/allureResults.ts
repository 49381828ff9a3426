import { createHash } from 'node:crypto';
import type { Label, Link, Parameter, StatusDetails, TestResult } from 'allure-js-commons';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../../engine/findings/finding.ts';
import { casesOf } from '../cases.ts';
import { causeByFingerprint, causesOf } from '../causes.ts';
import { variantTitle } from '../digest.ts';
import type { CheckTimes } from '../evidence/readEvidence.ts';
import type { ShownEvidence } from '../page/pageData.ts';
import type { OpenPointResult, RequirementResult, RunResult } from '../result.ts';
import { documentTitle } from '../sources.ts';
import { stateOf } from '../states.ts';
import { oneLine, printable, shorten } from '../text/printable.ts';
import { findingStep, attachmentsOf } from './steps.ts';
import { headlineOf, headlineText } from '../headline.ts';

const severities = { must: 'critical', should: 'normal', may: 'minor', open: 'trivial' } as const;
/** An Allure test for each requirement; its history is found by the requirement's id, whatever else changes. */
export function allureResults(
  result: RunResult,
  evidence: ShownEvidence,
  times: ReadonlyMap<string, CheckTimes> = new Map(),
): readonly TestResult[] {
  const findings = Map.groupBy(result.findings, ({ requirement }) => requirement);
  const leads = new Map(
    [...causeByFingerprint(causesOf(result))].map(([fingerprint, { lead }]) => [fingerprint, lead]),
  );
  const points = new Map(result.openPoints.map((point) => [point.id, point]));
  return casesOf(result).map((row) => {
    const own = findings.get(row.id) ?? [];
    return {
      uuid: hash(`${result.run.id} ${row.id}`),
      historyId: hash(row.id),
      testCaseId: hash(row.id),
      fullName: `gatecheck#${row.id}`,
      name: say(`${row.id} ${row.title}`),
      status: statusOf(row) as NonNullable<TestResult['status']>,
      statusDetails: detailsOf(row, own, leads),
      stage: 'finished' as TestResult['stage'],
      description: descriptionOf(row, own),
      steps: own.map((finding) => findingStep(finding, evidence)),
      attachments: [],
      parameters: parametersOf(result, points.get(row.id)),
      labels: labelsOf(row),
      links: [
        linkTo('report.html', row.id),
        ...own.slice(0, 3).map(({ fingerprint }) => linkTo('the finding', `finding-${fingerprint}`)),
      ],
      ...spanOf(row, result, times),
    };
  });
}

/** A place in the report next to the folder of results. */
function linkTo(name: string, anchor: string): Link {
  return { name, url: `../report.html#${encodeURIComponent(anchor)}`, type: 'link' };
}

/** As in JUnit: a must that cannot be judged is broken; a warning fails nothing. */
function statusOf({ verdict, level, baselined }: RequirementResult): string {
  if (verdict === 'fail') return 'failed';
  if (verdict === 'inconclusive') return level === 'must' && !baselined ? 'broken' : 'unknown';
  return verdict === 'skipped' || verdict === 'not-applicable' ? 'skipped' : 'passed';
}

function detailsOf(
  row: RequirementResult,
  [first]: readonly Finding[],
  leads: ReadonlyMap<string, Finding>,
): StatusDetails {
  const message = first?.message ?? row.excused ?? row.reason;
  const known = row.baselined ? { known: true, muted: true } : {};
  const lead = first === undefined ? undefined : leads.get(first.fingerprint);
  // A warning fails no test, so that only its message tells it from a pass.
  const warned = row.verdict === 'warn' ? 'Warning: ' : '';
  return {
    ...(message === null || row.verdict === 'pass' ? {} : { message: `${warned}${say(message)}` }),
    ...(lead === undefined ? {} : { trace: causeText(lead) }),
    ...(first === undefined ? {} : { expected: say(first.expected), actual: say(first.actual) }),
    ...known,
  };
}

function descriptionOf(row: RequirementResult, findings: readonly Finding[]): string {
  const sources = row.source.map(
    ({ document, section }) => `${documentTitle(document)}, section “${section}”`,
  );
  return [
    row.title,
    `A ${row.level} of ${sources.join(' and ') || 'the documents'}; ${stateOf(row)}, exercised ${row.samples} times by ${row.checks.join(', ') || 'no check'}.`,
    ...(findings.length === 0
      ? []
      : [
          ...(row.advice === undefined ? [] : [`What to look at: ${row.advice.look}`]),
          'Reproduce:',
          ...findings.map(({ reproduce }) => `    ${reproduce.command}`),
        ]),
  ]
    .map((line) => printable(shorten(line, 2000)).toWellFormed())
    .join('\n\n');
}

/** Epic, feature and story: document, section and requirement; a row of both documents has the labels of both. */
function labelsOf(row: RequirementResult): Label[] {
  const sources = row.source.length === 0 ? [{ document: 'other', section: 'other' }] : row.source;
  const [first] = sources as [{ document: string; section: string }];
  const title = (document: string) => say(documentTitle(document));
  const labels: (readonly [string, string])[] = [
    ...new Set(sources.map(({ document }) => title(document))),
  ].map((epic) => ['epic', epic]);
  labels.push(
    ...[...new Set(sources.map(({ section }) => say(section)))].map(
      (feature) => ['feature', feature] as const,
    ),
    ['story', row.id],
    ['severity', severities[row.level]],
    ['parentSuite', title(first.document)],
    ['suite', say(first.section)],
    ['framework', 'gatecheck'],
    ['layer', 'api'],
    ['tag', row.level],
    ['tag', stateOf(row)],
    ...row.checks.slice(0, 1).map((check) => ['package', say(check)] as const),
  );
  return labels.map(([name, value]) => ({ name, value }));
}

/** Values that may differ from run to run must not identify a test. */
function parametersOf({ run, target }: RunResult, point: OpenPointResult | undefined): Parameter[] {
  const values: (readonly [string, string | null])[] = [
    ['target', target.baseUrl ?? target.kind],
    ['profile', run.profile],
    ['seed', String(run.seed)],
    ...(point === undefined
      ? []
      : ([
          ['observed', variantTitle(point.observed, point.variants) ?? 'not seen'],
          ['pinned', variantTitle(point.pinned, point.variants)],
        ] as const)),
  ];
  return values.flatMap(([name, value]) =>
    value === null ? [] : { name, value: say(value), excluded: true },
  );
}

/** From the first request of its checks to the last answer; none if nothing was sent for it. */
function spanOf(
  { checks }: RequirementResult,
  { run }: RunResult,
  times: ReadonlyMap<string, CheckTimes>,
): { readonly start: number; readonly stop: number } {
  const own = checks.flatMap((check) => times.get(check) ?? []);
  const start = Math.min(...own.map(({ startMs }) => startMs));
  if (!Number.isFinite(start)) return { start: Date.parse(run.startedAt), stop: Date.parse(run.startedAt) };
  return { start, stop: Math.round(Math.max(...own.map(({ endMs }) => endMs))) };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function say(text: string): string {
  return oneLine(shorten(text, 2000)).toWellFormed();
}

/** Number of files that are written at once. */
const atOnce = 64;

/** Writes the results of a run in Allure's format, into a folder that contains nothing else afterwards. */
export async function writeAllure(
  result: RunResult,
  { evidence, times }: { readonly evidence: ShownEvidence; readonly times: ReadonlyMap<string, CheckTimes> },
  dir: string,
): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const files = [
    ...allureResults(result, evidence, times).map(
      (one) => [`${one.uuid}-result.json`, JSON.stringify(one)] as const,
    ),
    ...attachmentsOf(result.findings, evidence),
    ['environment.properties', environmentOf(result)] as const,
    ['categories.json', JSON.stringify(categoriesOf(result), null, 2)] as const,
  ];
  for (let start = 0; start < files.length; start += atOnce)
    await Promise.all(
      files.slice(start, start + atOnce).map(([name, text]) => writeFile(join(dir, name), text)),
    );
}

/** One for each cause first: what it broke is repaired in one place. */
function categoriesOf(result: RunResult) {
  const titles = new Map(result.requirements.map(({ id, title }) => [id, title]));
  const causes = causesOf(result).map(({ lead }) => ({
    name: say(`${lead.requirement}: ${titles.get(lead.requirement) ?? lead.message}`),
    traceRegex: `(?s)${causeText(lead)}\\b.*`,
  }));
  return [...causes, ...categories];
}

/** By this, categories find the rules of a cause. */
function causeText({ requirement }: Pick<Finding, 'requirement'>): string {
  return `Cause: ${requirement}`;
}

const categories = [
  { name: 'Rules of the documents that are broken', matchedStatuses: ['failed'] },
  { name: 'Should-rules that are broken', matchedStatuses: ['passed'], messageRegex: '(?s)Warning: .*' },
  { name: 'Rules that could not be judged', matchedStatuses: ['broken', 'unknown'] },
  { name: 'Not judged, or not applicable', matchedStatuses: ['skipped'] },
];

/** The target and its dialect, as Java properties. */
function environmentOf(result: RunResult): string {
  const { target, run, tool, openPoints } = result;
  const values: (readonly [string, string])[] = [
    ['Target', target.baseUrl ?? target.kind],
    ['Verdict', headlineText(headlineOf(result))],
    ['Profile', run.profile],
    ['Seed', String(run.seed)],
    ['Gatecheck', tool.version],
    ...openPoints.flatMap(({ id, observed, variants }) => {
      const seen = variantTitle(observed, variants);
      return seen === null ? [] : [[id, seen] as const];
    }),
  ];
  return values.map(([name, value]) => `${name}=${escaped(value)}\n`).join('');
}

function escaped(value: string): string {
  return oneLine(shorten(value, 300))
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replace(/[^\x20-\x7e]/g, (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join(''),
    );
}
