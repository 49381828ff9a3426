import type { Palette } from '../../core/palette.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import type { FindingStory, Marks, StoryStep } from '../page/findingStory.ts';
import { bodyLines, partsOf, type BodyLine } from '../page/jsonView.ts';
import { bodyText, type Moment } from '../page/moments.ts';
import { withQuoted } from '../page/offending.ts';
import { momentText, storedLines } from '../page/storyLines.ts';
import { plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';

/** Steps that are shown of a long case: the first ones and the last. */
const steps = { first: 3, last: 6 };
const mostLines = 14;
const width = 160;
/** Most characters shown of the requests that led to the decisive answer. */
const longestSent = 600;

/** What happened in the failing case, one numbered line per step; for the decisive one, what was sent and answered. */
export function renderHappened(
  finding: Finding,
  story: FindingStory | null,
  palette: Palette,
): readonly string[] {
  if (story === null)
    return storedLines(finding)
      .slice(-steps.last)
      .map(({ text }) => shown(text));
  const toldOf = story.steps.filter(({ isInformative }) => isInformative).length;
  const [from, to] = [steps.first, story.steps.length - steps.last];
  const isLeftOut = (index: number) => {
    const step = story.steps[index];
    return index >= from && index < to && step?.isDecisive !== true && step?.isInformative !== true;
  };
  const leftOutFrom = (index: number): number => (isLeftOut(index) ? 1 + leftOutFrom(index + 1) : 0);
  const told = story.steps.flatMap((step, index) => {
    const [before, after] = step.gaps.map((left) => renderGap(left, palette));
    if (isLeftOut(index))
      return isLeftOut(index - 1) ? [] : [palette.dim(`… ${plural(leftOutFrom(index), 'more step')}`)];
    return [
      ...(before ?? []),
      ...renderStep(step, story, palette),
      ...(step.isInformative ? renderSent(step, Math.round(longestSent / toldOf), palette) : []),
      ...(after ?? []),
    ];
  });
  return story.clock === null ? told : [...told, palette.dim(`   ${story.clock}`)];
}

/** The step that decides, on one line: for findings that are not shown in full. */
export function renderDecisive(story: FindingStory | null, palette: Palette): readonly string[] {
  const step = story?.steps.find(({ isDecisive }) => isDecisive);
  // Its number means nothing without the other steps.
  return story === null || step === undefined ? [] : [stepLine(step, story, palette).replace(/^\d+\. /, '')];
}

/** Gaps between the steps are mentioned, so that nothing seems to follow from what it does not follow. */
function renderGap(left: number, palette: Palette): readonly string[] {
  return left === 0 ? [] : [palette.dim(`   … ${plural(left, 'more request')} of this case`)];
}

function renderStep(step: StoryStep, story: FindingStory, palette: Palette): readonly string[] {
  const line = stepLine(step, story, palette);
  return step.isDecisive ? [line, ...renderWire(step.moments[0], story.marks, palette)] : [line];
}

function stepLine({ moments, isDecisive, number }: StoryStep, story: FindingStory, palette: Palette): string {
  const alike = moments.length > 1 ? palette.dim(`  and ${moments.length - 1} more like this`) : '';
  const mark = isDecisive ? palette.red(`  ← ${story.verdict}`) : '';
  return `${number}. ${momentText(moments[0], width)}${alike}${mark}`;
}

/** What a request said that led to the decisive answer, in one line. */
function renderSent({ moments: [first] }: StoryStep, longest: number, palette: Palette): readonly string[] {
  if (first.kind === 'state') return [];
  const body = bodyText(first.line.request.body);
  // Of a long booking that a callback belongs to, what it registered.
  const at = body.length > longest ? body.indexOf('"callbackData"') : -1;
  const text = oneLine(shorten(at > 0 ? `… ${body.slice(at)}` : body, longest));
  return [`${palette.dim(first.kind === 'delivery' ? '   received' : '   sent')} ${text}`];
}

/** Headers only if the finding is about them. */
function renderWire(moment: Moment, marks: Marks, palette: Palette): readonly string[] {
  if (moment.kind === 'state') return [];
  const { request } = moment.line;
  const sent = bodyText(request.body);
  const block = (
    title: string,
    headers: readonly (readonly [string, string])[],
    lines: readonly BodyLine[],
  ) => {
    const fields = headers.filter(([name]) => name.toLowerCase() === marks.header);
    const told = [
      ...fields.map(([name, value]) => palette.bold(shown(`${name}: ${value}`))),
      ...bodyOf(lines, palette),
    ];
    return told.length === 0 ? [] : [palette.dim(`   ${title}`), ...told.map((line) => `     ${line}`)];
  };
  const answered = (text: string) => linesOf(text, marks.member, marks.value);
  if (moment.kind === 'delivery') return block('received', request.headers, answered(sent));
  const { response } = moment.line;
  const asked = linesOf(sent, marks.request ?? marks.member);
  return [
    ...block('sent', request.headers, withQuoted(asked, marks.quoted ?? null)),
    ...block('answered', response?.headers ?? [], answered(bodyText(response?.body ?? null))),
  ];
}

const longestBody = 100_000;

function linesOf(text: string, member: string | null, value: string | null = null): readonly BodyLine[] {
  return text === '' ? [] : bodyLines(shorten(text, longestBody), member, value);
}

/** The lines around the wrong member; else the first ones. */
function bodyOf(lines: readonly BodyLine[], palette: Palette): readonly string[] {
  const most = lines.length <= mostLines ? mostLines : mostLines - 1;
  return partsOf(lines, most).flatMap(({ isAway, lines: own }) =>
    isAway
      ? [palette.dim(`… ${plural(own.length, 'line')}`)]
      : own.map(({ text, marked }) => (marked ? palette.red(`${shown(text)}  ←`) : shown(text))),
  );
}

function shown(text: string): string {
  return oneLine(shorten(text, width));
}
