import type { Palette } from '../../core/palette.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { casesText } from '../caseName.ts';
import type { Cause } from '../causes.ts';
import { contrastText, difference, type TextPart, spreadText } from '../page/difference.ts';
import { findingStory, type FindingStory } from '../page/findingStory.ts';
import type { ShownEvidence } from '../page/pageData.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { sourceText } from '../sources.ts';
import { findingState, stateText } from '../states.ts';
import { reasonsOf } from '../story.ts';
import { plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { renderDecisive, renderHappened } from './happened.ts';
import { bodyText } from '../page/moments.ts';

/** How a cause is shown. */
interface CauseLook {
  readonly rule: RequirementResult | undefined;
  readonly evidence: ShownEvidence;
  /** What the run left behind, with who made it. */
  readonly effects: RunResult['sideEffects'];
  readonly palette: Palette;
  /** Whether to show its steps and what to look at. */
  readonly isFull: boolean;
}

const mostIds = 8;
/** Longer differences can be seen without a marker below. */
const longestMark = 60;

/** A cause for someone who repairs it: the rule, what happened, what differs, what else breaks because of it, how to reproduce it. */
export function renderCause(cause: Cause, { rule, evidence, effects, palette, isFull }: CauseLook): string {
  const { lead, broken, heldBack } = cause;
  const { red, yellow, dim, bold } = palette;
  const state = findingState(lead);
  const mark = (state === 'fail' ? red : yellow)(stateText(state));
  const place = rule ? dim(`  ${rule.level} · ${line(sourceText(rule.source.slice(0, 1)))}`) : '';
  const others = broken.slice(1);
  const story = findingStory(lead, evidence, effects);
  const steps = isFull ? renderHappened(lead, story, palette) : renderDecisive(story, palette);
  const made = isFull ? madeFor(story) : [];
  const contrast = isFull ? evidence.contrasts?.[lead.fingerprint] : undefined;
  const spread = isFull ? spreadText(evidence.spreads?.[lead.requirement]) : null;
  const caseName = steps.length === 0 ? lead.counterexample : casesText(lead, cause.others);
  const fact = (name: string, text: string) => `   ${dim(name.padEnd(8))} ${text}`;
  return [
    `${mark} ${bold(lead.requirement)}${place}`,
    `   ${line(rule?.title ?? lead.message)}`,
    ...(steps.length === 0 ? [] : ['', ...steps.map((step) => `   ${step}`), '']),
    ...(caseName === null ? [] : [fact('case', line(caseName))]),
    ...renderDifference(lead, palette),
    ...(isFull ? reasonsOf(lead) : []).map((text, index) => fact(index === 0 ? 'because' : '', line(text))),
    ...made.flatMap(({ kind, text, request }) => [
      fact(kind, line(text)),
      ...(request === null ? [] : [fact('', line(request))]),
    ]),
    ...(contrast === undefined ? [] : [fact('but', line(contrastText(contrast)))]),
    ...(spread === null ? [] : [fact('where', line(spread))]),
    ...(others.length === 0 ? [] : [fact('also', idList(others))]),
    ...(heldBack.length === 0
      ? []
      : [fact('blocks', `${plural(heldBack.length, 'other rule')} (could not be judged because of it)`)]),
    ...(rule?.advice ? [fact('look at', line(rule.advice.look))] : []),
    fact('again', palette.cyan(line(lead.reproduce.command))),
  ].join('\n');
}

/** What the target does and should do, in a few words: for causes that are only listed. */
export function causeLine({ expected, actual }: Pick<Finding, 'expected' | 'actual'>): string {
  return `got ${oneLine(shorten(actual, longestOfLine))}, expected ${oneLine(shorten(expected, longestOfLine))}`;
}

const longestOfLine = 90;

/** How the records of a case were made before it: by whom, and with what request, as far as the evidence has it. */
function madeFor(
  story: FindingStory | null,
): readonly { readonly kind: string; readonly text: string; readonly request: string | null }[] {
  return (story?.made ?? []).map(({ kind, text, line: maker }) => {
    const said = maker?.type === 'exchange' ? bodyText(maker.request.body) : '';
    return { kind, text, request: said === '' ? null : `sent ${said}` };
  });
}

/** Expected and actual below each other; if only part of a line differs, that part is marked, also without colors. */
function renderDifference({ expected, actual }: Finding, palette: Palette): readonly string[] {
  const [want, got] = difference(expected.slice(0, 20_000), actual.slice(0, 20_000));
  const { dim } = palette;
  const marked = (parts: readonly TextPart[], paint: Palette['red']) =>
    parts.map(({ text, differs }) => (differs ? paint(line(text.replace('‸', ''))) : line(text))).join('');
  const pointer = pointerTo(got);
  return [
    `   ${dim('expected')} ${marked(want, palette.green)}`,
    `   ${dim('actual  ')} ${marked(got, palette.red)}`,
    ...(pointer === '' ? [] : [`   ${' '.repeat(8)} ${dim(pointer)}`]),
  ];
}

/** `^^^` below what differs; nothing if everything does. */
function pointerTo(parts: readonly TextPart[]): string {
  const marked = parts.filter(({ differs }) => differs);
  if (marked.length === 0 || marked.length === parts.length) return '';
  if (marked.some(({ text }) => text.length > longestMark)) return '';
  return parts
    .map(({ text, differs }) => (differs ? '^' : ' ').repeat(line(text).length))
    .join('')
    .trimEnd();
}

function idList(ids: readonly string[]): string {
  const rest = ids.length - mostIds;
  return rest > 0 ? `${ids.slice(0, mostIds).join(', ')} and ${rest} more` : ids.join(', ');
}

function line(text: string): string {
  return oneLine(shorten(text, 300));
}
