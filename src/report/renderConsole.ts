import { digest } from './digest.ts';
import { standingOf } from './standing.ts';
import { plainPalette, type Paint, type Palette } from '../core/palette.ts';
import type { Finding } from '../engine/finding.ts';
import type { RequirementResult, RunResult } from './result.ts';
import { oneLine, shorten } from './text/printable.ts';
import { plural } from './text/format.ts';
import {
  countsText,
  coverageText,
  ofSelection,
  targetText,
  trafficText,
  verdictMarks,
} from './verdictText.ts';

const most = 10;

/** The last words of a run on a terminal. `reports` are the paths to name; text of the target cannot steer the terminal. */
export function renderConsole(
  result: RunResult,
  reports: readonly string[],
  palette: Palette = plainPalette,
): string {
  const { findings: all, rules, skipped } = digest(result);
  const findings = all.filter((finding) => standingOf(finding) !== 'known');
  const known = all.length - findings.length;
  const blocks = [
    findings
      .slice(0, most)
      .map(
        (finding, index) =>
          `${index + 1}) ${renderFinding(finding, rules.get(finding.requirement), palette)}`,
      ),
    findings.length > most ? [`  … and ${plural(findings.length - most, 'more finding')} in the report`] : [],
    [renderVerdict(result, palette)],
    renderLimiters(result, palette),
    known > 0 ? [palette.dim(`  ${plural(known, 'finding')} known by the baseline`)] : [],
    skipped.slice(0, 3).map(({ reason, ids }) => palette.dim(`  ${ids.length} skipped: ${line(reason)}`)),
    [reports.map((path) => `  ${palette.cyan(line(path))}`).join('\n')],
  ];
  return `${blocks
    .map((block) => block.join(block === blocks[0] ? '\n\n' : '\n'))
    .filter(Boolean)
    .join('\n\n')}\n`;
}

/** The limiters by name, where the limit checks ran. */
function renderLimiters({ limits }: RunResult, palette: Palette): readonly string[] {
  return (limits?.limiters ?? []).flatMap(({ title, name, like, documented, contradictions, notTried }) => [
    `  ${documented ? palette.green('✓') : palette.red('✗')} ${line(title)}: ${line(name)}${documented ? ', as documented' : ''}`,
    ...contradictions.map((text) => `    ${line(text)}`),
    ...(like === undefined ? [] : [`    works like ${line(like)}`]),
    ...(notTried.length === 0
      ? []
      : [
          palette.dim(
            `    ${plural(notTried.length, 'other limiter')} not told apart from it: see the report`,
          ),
        ]),
  ]);
}

/** The verdict and what it is about, on one line. */
export function renderVerdictLine(result: RunResult, palette: Palette = plainPalette): string {
  const { verdict } = result.summary;
  const head = palette.bold(
    verdictPaint(verdict, palette)(`${verdictMarks[verdict]} ${verdict.toUpperCase()}${ofSelection(result)}`),
  );
  return `${head}  ${palette.dim(line(targetText(result)))}`;
}

function renderVerdict(result: RunResult, palette: Palette): string {
  const { reasons = [] } = result.summary;
  return [
    renderVerdictLine(result, palette),
    ...reasons.map((reason) => `  ${line(reason)}`),
    `  ${coverageText(result, 'must')}`,
    `  ${countsText(result)}`,
    `  ${palette.dim(trafficText(result))}`,
  ].join('\n');
}

function verdictPaint(verdict: RunResult['summary']['verdict'], palette: Palette): Paint {
  switch (verdict) {
    case 'conformant':
      return palette.green;
    case 'nonconformant':
      return palette.red;
    case 'partial':
    case 'inconclusive':
      return palette.yellow;
  }
}

function renderFinding(finding: Finding, rule: RequirementResult | undefined, palette: Palette): string {
  const { red, yellow, dim, bold } = palette;
  const mark = standingOf(finding) === 'warn' ? yellow('! warn') : red('✗ fail');
  return [
    `${mark} ${bold(finding.requirement)} ${line(rule?.title ?? finding.message)}`,
    ...(finding.counterexample === null ? [] : [`   ${dim('case    ')} ${line(finding.counterexample)}`]),
    `   ${dim('expected')} ${line(finding.expected)}`,
    `   ${dim('actual  ')} ${line(finding.actual)}`,
    `   ${dim('again   ')} ${palette.cyan(line(finding.reproduce.command))}`,
  ].join('\n');
}

function line(text: string): string {
  return oneLine(shorten(text, 300));
}
