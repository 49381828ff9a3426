import type { Palette } from '../../core/palette.ts';
import { plural } from '../text/format.ts';
import { escapeMarkdown } from '../text/markdown.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { hasNoChange, type LatencyChange, type ResultDiff, type VerdictChange } from './diffResults.ts';

/** A part of the comparison: a heading, and a line for each difference. */
interface Section {
  readonly heading: string;
  readonly tone: 'red' | 'green' | 'yellow' | 'cyan';
  readonly lines: readonly Line[];
}

/** What differs, and how; both as plain text. */
interface Line {
  readonly subject: string;
  /** Number of differences in this line, if not one. */
  readonly count?: number;
  readonly text: string;
}

/** Number of lines of each part that are shown to people; JSON has all. */
const most = 50;

/** The differences for a terminal. */
export function renderDiffText(diff: ResultDiff, palette: Palette): string {
  const head = [
    `  before  ${clean(diff.before)}`,
    `  after   ${clean(diff.after)}`,
    ...diff.notes.map((note) => `  ${clean(note)}`),
  ];
  const sections = sectionsOf(diff).map(({ heading, tone, lines }) =>
    [
      palette[tone](`${heading} (${countOf(lines)})`),
      ...lines.slice(0, most).map(({ subject, text }) => `  ${palette.bold(clean(subject))}  ${clean(text)}`),
      ...(lines.length > most ? [palette.dim(`  … and ${countOf(lines.slice(most))} more`)] : []),
    ].join('\n'),
  );
  return `${[head.join('\n'), ...(hasNoChange(diff) ? [palette.green(nothing)] : sections)].join('\n\n')}\n`;
}

/** The differences for a pull request. */
export function renderDiffMarkdown(diff: ResultDiff): string {
  const { failing } = diff;
  const title = hasNoChange(diff)
    ? nothing
    : failing.length > 0
      ? `${plural(failing.length, 'requirement')} newly failing`
      : 'Nothing newly failing';
  const head = [
    `## Gatecheck: ${title}`,
    `Before: ${escapeMarkdown(diff.before)}  \nAfter: ${escapeMarkdown(diff.after)}`,
    ...diff.notes.map((note) => `> ${escapeMarkdown(note)}`),
  ];
  const sections = sectionsOf(diff).map(({ heading, lines }) =>
    [
      `### ${heading} (${countOf(lines)})`,
      lines
        .slice(0, most)
        .map(({ subject, text }) => `- **${escapeMarkdown(subject)}** ${escapeMarkdown(clean(text))}`)
        .join('\n'),
      ...(lines.length > most ? [`… and ${countOf(lines.slice(most))} more`] : []),
    ].join('\n\n'),
  );
  return `${[...head, ...sections].join('\n\n')}\n`;
}

const nothing = 'No difference';

function sectionsOf(diff: ResultDiff): readonly Section[] {
  const all: readonly Section[] = [
    { heading: 'Newly failing', tone: 'red', lines: diff.failing.map(brokenLine) },
    { heading: 'Newly warned', tone: 'yellow', lines: diff.warned.map(brokenLine) },
    { heading: 'Slower', tone: 'red', lines: diff.slower.map(latencyLine) },
    { heading: 'Gate', tone: 'yellow', lines: diff.gates.map((gate) => changeLine(gate)) },
    { heading: 'Limiter', tone: 'yellow', lines: diff.limiters.map((limiter) => changeLine(limiter)) },
    {
      heading: 'Open points answered differently',
      tone: 'yellow',
      lines: diff.points.map(({ id, title, ...rest }) => changeLine({ title: id, ...rest }, title)),
    },
    { heading: 'No longer judged', tone: 'yellow', lines: lostLines(diff.lost) },
    {
      heading: 'Newly passing',
      tone: 'green',
      lines: diff.passing.map(({ id, title }) => ({ subject: id, text: title })),
    },
    { heading: 'Faster', tone: 'green', lines: diff.faster.map(latencyLine) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

function countOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { count = 1 }) => sum + count, 0);
}

function brokenLine({ id, title, before, after }: VerdictChange): Line {
  const then = before === null ? 'not in the other result' : before.verdict;
  const was = then === 'pass' ? '' : ` [before: ${then}]`;
  return { subject: id, text: `${after.reason ?? title}${was}` };
}

/** Rules that are no longer judged for the same reason, apart from its numbers, stand in one line: another profile or budget leaves out hundreds. */
function lostLines(lost: readonly VerdictChange[]): readonly Line[] {
  const groups = Map.groupBy(lost, ({ before, after }) =>
    [
      before?.verdict,
      after.verdict,
      after.reason?.replaceAll(/\d+/g, '#').replaceAll(/\b(request|unit)s?\b/g, '$1'),
    ].join(' '),
  );
  return [...groups.values()].map((changes) => ({
    subject: named(changes.map(({ id }) => id)),
    count: changes.length,
    text: lostText(changes),
  }));
}

/** Rules of a line that are named; JSON has all. */
const mostNamed = 3;

function named(ids: readonly string[]): string {
  const rest = ids.length - mostNamed;
  return `${ids.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function lostText([first, ...others]: readonly VerdictChange[]): string {
  const reason = first?.after.reason ?? '';
  const varies = others.some(({ after }) => after.reason !== reason);
  return `${first?.before?.verdict ?? ''}, now ${first?.after.verdict ?? ''}: ${varies ? `${first?.id ?? ''} ` : ''}${reason}`;
}

function changeLine(
  { title, before, after }: { readonly title: string; readonly before: string; readonly after: string },
  question?: string,
): Line {
  return { subject: title, text: `${question === undefined ? '' : `${question} `}${before} → ${after}` };
}

function latencyLine({ operation, before, after, factor }: LatencyChange): Line {
  const times = factor >= 1 ? `${factor.toFixed(1)} times` : `1/${(1 / factor).toFixed(1)}`;
  return {
    subject: operation,
    text: `p95 ${before.p95Ms.toFixed(0)} ms → ${after.p95Ms.toFixed(0)} ms, ${times}; p50 ${before.p50Ms.toFixed(0)} ms → ${after.p50Ms.toFixed(0)} ms`,
  };
}

function clean(text: string): string {
  return shorten(oneLine(text), 400);
}
