import { howToRecognise } from './text/recognise.ts';
import { headlineOf, headlineText } from './headline.ts';
import { digest, variantTitle, type Digest } from './digest.ts';
import type { ReasonGroup } from './reasonGroups.ts';
import { renderLoadMarkdown } from './load/renderLoadMarkdown.ts';
import type { Cause } from './causes.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { RequirementResult, RunResult } from './result.ts';
import { sourceText } from './sources.ts';
import { countsText, findingState, stateText, stateTexts } from './states.ts';
import { limitersOf, limitsVerdict } from './limiters.ts';
import { formatShare, plural } from './text/format.ts';
import { noEvidence, type ShownEvidence } from './page/pageData.ts';
import { clipped, storyLines } from './page/storyLines.ts';
import { placeOf } from './placeOf.ts';
import { code, escapeMarkdown, fenced } from './text/markdown.ts';
import { shorten } from './text/printable.ts';
import { reasonsOf } from './story.ts';
import { causeLine } from './terminal/cause.ts';
import { targetText, trafficText } from './verdictText.ts';

// Job pages cut off a summary at one mebibyte; what is left out is in report.html.
const mostFindings = 20;
const mostRows = 40;
const longest = 2000;

/** The summary for the page of a CI job, most urgent first. */
export function renderMarkdown(result: RunResult, evidence: ShownEvidence = noEvidence): string {
  const read = digest(result);
  const sections = [
    renderHead(result),
    result.load === undefined ? '' : renderLoadMarkdown(result.load),
    renderFindings(read, evidence),
    renderCoverage(result),
    renderLimiters(result),
    renderReasons('Inconclusive', read.inconclusive),
    renderOpenPoints(result),
    renderSideEffects(result),
    renderReasons('Not judged, and what would enable it', read.skipped),
    renderReasons('Not applicable: the deployment did not bring it about', read.notApplicable),
    renderExcused(read),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function renderHead(result: RunResult): string {
  const { reasons = [] } = result.summary;
  const head = headlineOf(result);
  return [
    `## ${head.mark} Gatecheck: ${say(headlineText(head))}`,
    [head.meaning, ...reasons.map((reason) => say(reason))].join('  \n'),
    `${countsText(result.requirements) || 'nothing judged'}  \n${trafficText(result)}  \n${say(targetText(result))}`,
  ].join('\n\n');
}

function renderCoverage({ summary: { coverage } }: RunResult): string {
  const row = (level: 'must' | 'should') => {
    const { judged, total } = coverage[level];
    return `| ${level} | ${judged} | ${total} | ${formatShare(judged, total)} |`;
  };
  return ['| level | judged | applying | share |', '|---|--:|--:|--:|', row('must'), row('should')].join(
    '\n',
  );
}

function renderLimiters(result: RunResult): string {
  if (result.limits === undefined) return '';
  const rows = limitersOf(result).map(({ title, name, like, state, verdict, contradictions }) =>
    [
      title,
      like === undefined ? name : `${name}, like ${like}`,
      `${stateTexts[state].mark} ${verdict}`.trim(),
      contradictions.join('; '),
    ]
      .map(say)
      .join(' | '),
  );
  if (rows.length === 0) return '';
  const { state, text } = limitsVerdict(result);
  return [
    `### ${state === null ? '' : `${stateTexts[state].mark} `}${say(text)}`,
    [
      '| limit | limiter | verdict | contradictions |',
      '|---|---|---|---|',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n'),
  ].join('\n\n');
}

function renderFindings({ causes, findings, rules }: Digest, evidence: ShownEvidence): string {
  if (causes.length === 0) return '';
  const rest = causes.length - mostFindings;
  const title = causes.length === findings.length ? '' : `, ${plural(causes.length, 'cause')}`;
  return [
    `### ${plural(findings.length, 'finding')}${title}`,
    ...causes
      .slice(0, mostFindings)
      .map((cause) => renderCause(cause, rules.get(cause.lead.requirement), evidence)),
    ...(rest > 0
      ? [
          [
            `${plural(rest, 'more cause')}, in full in report.html:`,
            '',
            ...causes
              .slice(mostFindings)
              .map(
                ({ lead }) =>
                  `- ${stateText(findingState(lead))} ${lead.requirement}: ${code(causeLine(lead))}`,
              ),
          ].join('\n'),
        ]
      : []),
    'With requests and answers: [report.html](report.html)',
  ].join('\n\n');
}

function renderCause(
  { lead, others, broken, heldBack }: Cause,
  row: RequirementResult | undefined,
  evidence: ShownEvidence,
): string {
  const state = findingState(lead);
  const place = row ? ` · ${say(sourceText(row.source.slice(0, 1)))}` : '';
  const also = broken.slice(1);
  const request = placeOf(lead);
  return [
    `#### ${stateText(state)} ${lead.requirement}${place}`,
    [
      say(row?.title ?? lead.message),
      ...(request === null ? [] : [`- In: ${code(request)}`]),
      `- Expected: ${value(lead.expected)}`,
      `- Actual: ${value(lead.actual)}`,
      ...reasonsOf(lead).map(
        (text, index) => `${index === 0 ? '- Because: ' : '  then '}${code(shorten(text, longest))}`,
      ),
      ...(also.length > 0 ? [`- The same cause breaks ${idList(also)}`] : []),
      ...(heldBack.length > 0 ? [`- Keeps ${plural(heldBack.length, 'requirement')} from being judged`] : []),
      ...(state === 'known' ? ['- Listed in the baseline'] : []),
      ...(row?.advice === undefined ? [] : [`- Look at: ${say(row.advice.look)}`]),
    ].join('\n'),
    renderAgain(lead, others.length, evidence),
  ].join('\n\n');
}

/** Folded: readers of the summary first want to know what broke. */
function renderAgain(finding: Finding, others: number, evidence: ShownEvidence): string {
  const { reproduce, counterexample, confirmed, check, fingerprint } = finding;
  const steps = clipped(storyLines(finding, evidence).map(({ text }) => text));
  const lines = [reproduce.command, ...(reproduce.curl === null ? [] : [reproduce.curl])];
  const more = others > 0 ? `, and ${plural(others, 'more finding')} of this cause` : '';
  return [
    `<details><summary>${steps.length === 0 ? 'Reproduce' : 'What happened, and how to reproduce it'}</summary>`,
    ...(steps.length === 0 ? [] : [fenced(steps.join('\n'))]),
    fenced(lines.map((line) => shorten(line, longest)).join('\n'), 'sh'),
    ...(counterexample === null || /^[[{]/.test(counterexample)
      ? []
      : [fenced(shorten(counterexample, longest))]),
    `Confirmed ${confirmed} by ${code(shorten(check, 300))}, fingerprint ${code(fingerprint)}${more}`,
    '</details>',
  ].join('\n\n');
}

/** Several lines become a block inside the list item. */
function value(text: string): string {
  const shown = shorten(text, longest);
  return shown.includes('\n') ? `\n\n${indent(fenced(shown))}\n` : code(shown);
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function renderReasons(title: string, groups: readonly ReasonGroup[]): string {
  if (groups.length === 0) return '';
  const rows = groups.map(({ reason, ids }) => `| ${ids.length} | ${say(reason)} | ${idList(ids)} |`);
  return table(title, '| requirements | reason | ids |\n|--:|---|---|', rows);
}

function renderOpenPoints({ openPoints }: RunResult): string {
  const answered = openPoints.filter(({ observed, pinned }) => observed !== null || pinned !== null);
  if (answered.length === 0) return '';
  const rows = answered.map(
    ({ id, title, observed, pinned, variants }) =>
      `| ${id} | ${say(title)} | ${say(variantTitle(observed, variants) ?? 'not seen')} | ${say(variantTitle(pinned, variants) ?? '')} |`,
  );
  return table(
    'Open points: the dialect of this target',
    '| id | question | observed | pinned |\n|---|---|---|---|',
    rows,
  );
}

/** Side effects by kind; result.json lists each of them. */
function renderSideEffects({ sideEffects }: RunResult): string {
  if (sideEffects.length === 0) return '';
  const groups = Map.groupBy(sideEffects, ({ kind, id }) => (kind === 'state' ? `state ${id ?? ''}` : kind));
  const rows = [...groups].map(([kind, effects]) => {
    const doubtful = effects.filter(({ certainty }) => certainty !== 'certain').length;
    return `| ${say(kind)} | ${effects.length} | ${doubtful} |`;
  });
  const list = ['| kind | total | uncertain |\n|---|--:|--:|', ...rows.slice(0, mostRows)].join('\n');
  const explained = `${howToRecognise} Each is listed in result.json, with its id.`;
  return folded(`Left behind by this run (${sideEffects.length})`, [list, explained]);
}

function renderExcused({ excused }: Digest): string {
  if (excused.length === 0) return '';
  return `${plural(excused.length, 'requirement')} cannot be observed from outside; report.html lists them with the reasons.`;
}

function table(title: string, head: string, rows: readonly string[]): string {
  const rest = rows.length - mostRows;
  return folded(`${title} (${rows.length})`, [
    [head, ...rows.slice(0, mostRows)].join('\n'),
    ...(rest > 0 ? [`… and ${rest} more in report.html.`] : []),
  ]);
}

/** Folded, so that long parts do not hide what follows. */
function folded(title: string, lines: readonly string[]): string {
  return [`<details><summary><b>${title}</b></summary>`, ...lines, '</details>'].join('\n\n');
}

function idList(ids: readonly string[]): string {
  return ids.length > 6 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');
}

function say(text: string): string {
  return escapeMarkdown(shorten(text, 300));
}
