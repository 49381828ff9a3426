import { digest, type Digest } from './digest.ts';
import { headlineOf, headlineText } from './headline.ts';
import { limitersOf, limitsVerdict } from './limiters.ts';
import { countsText, findingState, stateTexts } from './states.ts';
import { plainPalette, type Paint, type Palette } from '../core/palette.ts';
import type { ShownEvidence } from './page/pageData.ts';
import type { Cause } from './causes.ts';
import type { ReasonGroup } from './reasonGroups.ts';
import { nextStep, recordAgain } from './next.ts';
import type { RunResult, RunVerdict } from './result.ts';
import { causeLine, renderCause } from './terminal/cause.ts';
import { countsOver, sparkline } from './text/sparkline.ts';
import { oneLine, shorten } from './text/printable.ts';
import { formatDuration, plural } from './text/format.ts';
import { coverageText, targetText, trafficText } from './verdictText.ts';

const most = 10;
/** Number of causes that are shown with their steps; for the others, the difference is enough. */
const mostFull = 5;

/** Number of reasons that are shown for what stayed undecided, and of rules for each. */
const mostReasons = 3;
const mostIds = 6;
/** Number of reasons for skipping that are shown. */
const mostSkipped = 8;

/** How a result is shown: with or without colors, and with the evidence. */
interface ConsoleLook {
  readonly palette?: Palette;
  readonly evidence?: ShownEvidence;
}

/** The final output of a run on a terminal. `reports` are the paths to mention; text from the target cannot control the terminal. */
export function renderConsole(
  result: RunResult,
  reports: readonly string[],
  { palette = plainPalette, evidence = { lines: {}, states: [] } }: ConsoleLook = {},
): string {
  const read = digest(result);
  const { causes: all, findings, rules } = read;
  const causes = all.filter(({ lead }) => findingState(lead) !== 'known');
  // What the verdict says then is the reason of all rows.
  const isLost = (result.run.end ?? 'completed') !== 'completed' && result.summary.coverage.must.judged === 0;
  const known = findings.filter((finding) => findingState(finding) === 'known').length;
  const blocks = [
    causes.slice(0, most).map((cause, index) => {
      const rule = rules.get(cause.lead.requirement);
      const look = { rule, evidence, effects: result.sideEffects, palette, isFull: index < mostFull };
      return `${index + 1}) ${renderCause(cause, look)}`;
    }),
    renderRest(causes.slice(most), palette),
    [renderVerdict(result, palette)],
    renderLimiters(result, palette, causes.length > 0),
    isLost ? [] : renderUndecided(read, palette),
    renderNext(result, all, palette),
    renderStale(result, palette),
    known > 0 ? [palette.dim(`  ${plural(known, 'finding')} listed in the baseline`)] : [],
    isLost ? [] : renderSkipped(read, palette),
    [reports.map((path) => `  ${palette.cyan(line(path))}`).join('\n')],
  ];
  return `${blocks
    .map((block) => block.join(block === blocks[0] ? '\n\n' : '\n'))
    .filter(Boolean)
    .join('\n\n')}\n`;
}

/** The causes that are not shown, one line each: which they are must not take a look into the report. */
function renderRest(causes: readonly Cause[], palette: Palette): readonly string[] {
  if (causes.length === 0) return [];
  const lines = causes.map(({ lead }) => {
    const state = findingState(lead);
    const mark = (state === 'fail' ? palette.red : palette.yellow)(stateTexts[state].mark);
    return `  ${mark} ${lead.requirement}  ${palette.dim(causeLine(lead))}`;
  });
  return [`  ${plural(causes.length, 'more cause')}, in full in the report:`, ...lines];
}

/** The limiters by name, if the limit checks ran. */
function renderLimiters(result: RunResult, palette: Palette, onlyWrong: boolean): readonly string[] {
  if (result.limits === undefined) return [];
  const limiters = limitersOf(result);
  const { state: whole, text } = limitsVerdict(result);
  // Next to failures, limits that are as documented are no news.
  if (onlyWrong && whole === 'pass') return [];
  const paints = { pass: palette.green, fail: palette.red, skipped: palette.dim };
  // A broken rule of limits that are otherwise the documented ones.
  const isOfRules = whole === 'fail' && limiters.every(({ state }) => state !== 'fail');
  return [
    ...(isOfRules ? [`  ${palette.red('✗')} ${text}`] : []),
    ...limiters.flatMap(({ title, name, like, state, verdict, contradictions, notTried }) => [
      `  ${paints[state](stateTexts[state].mark)} ${line(title)}: ${line(name)}${state === 'pass' ? `, ${verdict}` : ''}`,
      ...contradictions.map((one) => `    ${line(one)}`),
      ...renderTimeline(result.limits, title, palette),
      ...(like === undefined ? [] : [`    works like ${line(like)}`]),
      ...(notTried.length === 0 || state === 'skipped'
        ? []
        : [
            palette.dim(
              `    ${plural(notTried.length, 'other limiter')} not distinguished from it: see the report`,
            ),
          ]),
    ]),
  ];
}

/** Musts that stayed undecided for another reason than a finding, which says what it holds back itself. */
function renderUndecided({ inconclusive, rules }: Digest, { yellow, dim }: Palette): readonly string[] {
  const musts = inconclusive.flatMap(({ reason, ids, heldBackBy }) => {
    const left = heldBackBy.length > 0 ? [] : ids.filter((id) => rules.get(id)?.level === 'must');
    return left.length === 0 ? [] : [{ reason, ids: left }];
  });
  const shown = musts.slice(0, mostReasons).map(({ reason, ids }) => {
    const more = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : '';
    return `  ${yellow('?')} ${ids.slice(0, mostIds).join(' ')}${more}: ${line(reason)}`;
  });
  const left = musts.length - mostReasons;
  return left > 0 ? [...shown, dim(`  … and ${plural(left, 'more reason')} in the report`)] : shown;
}

function renderNext(result: RunResult, causes: readonly Cause[], { bold, cyan }: Palette): readonly string[] {
  const next = nextStep(result, causes);
  if (next === null) return [];
  return [
    `  ${bold('Next:')} ${next.count} Start with ${next.lead.requirement}. ${next.blocks}`.trimEnd(),
    `  Once it is fixed: ${next.command === null ? recordAgain : cyan(line(next.command))}`,
  ];
}

/** Why rules were skipped: all of them, so that the reasons add up to the count of the verdict. */
function renderSkipped({ skipped, excused }: Digest, { dim }: Palette): readonly string[] {
  const held = skipped.filter(({ heldBackBy }) => heldBackBy.length > 0);
  const free = skipped.filter(({ heldBackBy }) => heldBackBy.length === 0);
  const lines = [
    ...free
      .slice(0, mostSkipped)
      .map(({ reason, ids }) => [ids.length, line(reason).replace(/\.$/, '')] as const),
    [countOf(free.slice(mostSkipped)), 'other reasons, which the report has'] as const,
    [countOf(held), 'their checks ended where they found a rule broken'] as const,
    [excused.length, 'cannot be observed from outside'] as const,
  ];
  const shown = lines.filter(([count]) => count > 0).toSorted(([one], [other]) => other - one);
  return shown.map(([count, reason]) => dim(`  ${count} skipped: ${reason}`));
}

function countOf(groups: readonly ReasonGroup[]): number {
  return groups.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** The command that takes stale entries out of the baseline; without a reason it adds none. */
function renderStale({ summary, run }: RunResult, { cyan }: Palette): readonly string[] {
  if ((summary.gate?.stale ?? []).length === 0) return [];
  const again = / --update-baseline\b/.test(run.command) ? run.command : `${run.command} --update-baseline`;
  return [`  Without the stale entries: ${cyan(line(again))}`];
}

/** What was admitted and refused during the trial, in as many parts as fit next to each other. */
function renderTimeline(limits: RunResult['limits'], title: string, { dim }: Palette): readonly string[] {
  const timeline = limits?.timelines?.find((one) => one.title === title);
  if (timeline === undefined || timeline.requests.length === 0) return [];
  const end = Math.max(...timeline.requests.map(({ atMs }) => atMs));
  const row = (name: string, admitted: boolean) => {
    const instants = timeline.requests.filter((one) => one.admitted === admitted).map(({ atMs }) => atMs);
    return `    ${name} ${sparkline(countsOver(instants, end, parts))} ${instants.length}`;
  };
  return [`${row('admitted', true)} over ${formatDuration(end)}`, row('refused ', false)].map((text) =>
    dim(text),
  );
}

const parts = 40;

/** `✗ NONCONFORMANT (35 of 743 requirements selected), gate met: 3 known failures` */
export function renderHeadline(result: RunResult, palette: Palette): string {
  const head = headlineOf(result);
  const text = line(headlineText({ ...head, verdict: head.verdict.toUpperCase() }));
  return palette.bold(tonePaint(head.tone, palette)(`${head.mark} ${text}`));
}

/** The verdict, the gate and their subject, on one line. */
export function renderVerdictLine(result: RunResult, palette: Palette = plainPalette): string {
  return `${renderHeadline(result, palette)}  ${palette.dim(line(targetText(result)))}`;
}

function renderVerdict(result: RunResult, palette: Palette): string {
  const { reasons = [] } = result.summary;
  return [
    renderVerdictLine(result, palette),
    ...reasons.map((reason) => `  ${line(reason)}`),
    `  ${coverageText(result, 'must')}`,
    `  ${countsText(result.requirements) || 'nothing judged'}`,
    `  ${palette.dim(trafficText(result))}`,
  ].join('\n');
}

function tonePaint(tone: RunVerdict, palette: Palette): Paint {
  switch (tone) {
    case 'conformant':
      return palette.green;
    case 'nonconformant':
      return palette.red;
    case 'partial':
    case 'inconclusive':
      return palette.yellow;
  }
}

function line(text: string): string {
  return oneLine(shorten(text, 300));
}
