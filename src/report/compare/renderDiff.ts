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
      palette[tone](`${heading} (${lines.length})`),
      ...lines.slice(0, most).map(({ subject, text }) => `  ${palette.bold(clean(subject))}  ${clean(text)}`),
      ...(lines.length > most ? [palette.dim(`  … and ${lines.length - most} more`)] : []),
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
      `### ${heading} (${lines.length})`,
      lines
        .slice(0, most)
        .map(({ subject, text }) => `- **${escapeMarkdown(subject)}** ${escapeMarkdown(clean(text))}`)
        .join('\n'),
      ...(lines.length > most ? [`… and ${lines.length - most} more`] : []),
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
    { heading: 'Limiter', tone: 'yellow', lines: diff.limiters.map((limiter) => changeLine(limiter)) },
    {
      heading: 'Open points answered differently',
      tone: 'yellow',
      lines: diff.points.map(({ id, title, ...rest }) => changeLine({ title: id, ...rest }, title)),
    },
    { heading: 'No longer judged', tone: 'yellow', lines: diff.lost.map(lostLine) },
    {
      heading: 'Newly passing',
      tone: 'green',
      lines: diff.passing.map(({ id, title }) => ({ subject: id, text: title })),
    },
    { heading: 'Faster', tone: 'green', lines: diff.faster.map(latencyLine) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

function brokenLine({ id, title, before, after }: VerdictChange): Line {
  const then = before === null ? 'not in the other result' : before.verdict;
  const was = then === 'pass' ? '' : ` [before: ${then}]`;
  return { subject: id, text: `${after.reason ?? title}${was}` };
}

function lostLine({ id, before, after }: VerdictChange): Line {
  return { subject: id, text: `${before?.verdict ?? ''}, now ${after.verdict}: ${after.reason ?? ''}` };
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
