import type { Finding } from '../../engine/findings/finding.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { formatDuration, plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { senderText } from '../text/sender.ts';
import { findingStory, type FindingStory, type StoryStep } from './findingStory.ts';
import { targetOf, type Moment } from './moments.ts';
import type { ShownEvidence } from './pageData.ts';

/** A step of a failing case as a line of text. */
interface StoryLine {
  /** `3. GET /…/status?checkin_id=1 with primary#1: HTTP 404 +2 s ← breaks the rule` */
  readonly text: string;
  readonly isDecisive: boolean;
  /** Null if only the finding itself tells of it. */
  readonly moment: Moment | null;
}

/** The steps of a failing case for formats that are plain text. */
export function storyLines(finding: Finding, evidence: ShownEvidence): readonly StoryLine[] {
  const story = findingStory(finding, evidence);
  return story === null ? storedLines(finding) : story.steps.map((step) => lineOf(step, story));
}

/** The first and the last steps, and how many are left out between them. */
export function clipped(
  lines: readonly string[],
  { first, last } = { first: 4, last: 8 },
): readonly string[] {
  const left = lines.length - first - last;
  return left <= 0
    ? lines
    : [...lines.slice(0, first), `… ${plural(left, 'more step')}`, ...lines.slice(-last)];
}

/** What a finding itself stores of its case, if the evidence is missing. */
export function storedLines(finding: Finding): readonly StoryLine[] {
  const all = [...stepsOf(finding), ...callbacksOf(finding)];
  return all.map(({ line }, index) => ({
    text: `${index + 1}. ${oneLine(shorten(line, 400))}`,
    isDecisive: index === all.length - 1,
    moment: null,
  }));
}

function lineOf({ number, moments, isDecisive, afterMs }: StoryStep, { verdict }: FindingStory): StoryLine {
  const [moment] = moments;
  const when = afterMs === 0 ? '' : ` +${formatDuration(afterMs)}`;
  const more = moments.length > 1 ? `, and ${moments.length - 1} more like this` : '';
  const mark = isDecisive ? ` ← ${verdict}` : '';
  return { text: `${number}. ${momentText(moment)}${when}${more}${mark}`, isDecisive, moment };
}

/** One line that says what happened. */
export function momentText(moment: Moment, longest = 200): string {
  return oneLine(shorten(wholeText(moment), longest));
}

function wholeText(moment: Moment): string {
  if (moment.kind === 'state') return `state ${moment.line.data.state} ${moment.line.data.params}`;
  if (moment.kind === 'delivery') {
    const { request, answer } = moment.line;
    return `callback ${moment.id} ${request.method} ${request.target}: answered ${answer}`;
  }
  const { request, key, enterprise } = moment.line;
  return `${request.method} ${targetOf(request.url)} ${senderText(key, enterprise)}: ${answerText(moment.line)}`;
}

/** `HTTP 404`, or why there is no answer. */
export function answerText({ response, failure }: Pick<ExchangeLine, 'response' | 'failure'>): string {
  return response === null ? `no answer (${failure?.reason ?? 'unknown'})` : `HTTP ${response.status}`;
}
