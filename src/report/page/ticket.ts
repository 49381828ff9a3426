import type { Headers } from '../../core/evidence.ts';
import type { Cause } from '../causes.ts';
import { casesText } from '../caseName.ts';
import { seenText } from '../seen.ts';
import { scriptCommand } from '../replayParts.ts';
import { placeOf } from '../placeOf.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { documentTitle } from '../sources.ts';
import { reasonsOf } from '../story.ts';
import { code, escapeMarkdown, fenced } from '../text/markdown.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { contrastText, spreadText } from './difference.ts';
import { isQuiet } from './exchangeView.ts';
import { findingStory, noMarks as none, type FindingStory, type Marks } from './findingStory.ts';
import { bodyLines, partsOf, type BodyLine } from './jsonView.ts';
import { bodyText, type Moment } from './moments.ts';
import { withQuoted } from './offending.ts';
import type { ShownEvidence } from './pageData.ts';
import { clipped, storyLines } from './storyLines.ts';

const longest = 4000;
const longestBody = 100_000;

interface TicketContext {
  readonly rule: RequirementResult | undefined;
  readonly evidence: ShownEvidence;
  readonly result: Pick<RunResult, 'target' | 'run' | 'sideEffects' | 'tool'>;
  /** Where the finding is in the report. */
  readonly link: string;
}

/** A finding as Markdown for an issue tracker: all that somebody needs who has neither the report nor Gatecheck. */
export function ticketOf(cause: Cause, { rule, evidence, result, link }: TicketContext): string {
  const { lead, broken } = cause;
  const story = findingStory(lead, evidence, result.sideEffects);
  const lines = storyLines(lead, evidence).map(({ text }) => text);
  const spread = spreadText(evidence.spreads?.[lead.requirement]);
  const contrast = evidence.contrasts?.[lead.fingerprint];
  const caseName = casesText(lead, cause.others);
  const also = broken.slice(1);
  const script = scriptCommand(lead, evidence);
  const facts = [
    `- Target: ${code(nameOfTarget(result))}, ${timeOf(story, result)}`,
    ...(placeOf(lead) === null ? [] : [`- Where: ${code(placeOf(lead) ?? '')}`]),
    ...(caseName === null || placeOf(lead)?.includes(caseName) === true
      ? []
      : [`- Case: ${escapeMarkdown(caseName)}`]),
    ...(spread === null ? [] : [`- Where it shows: ${escapeMarkdown(spread)}`]),
    `- ${seenText(lead)}`,
    ...(also.length === 0 ? [] : [`- The same cause breaks: ${also.join(', ')}`]),
  ];
  return (
    [
      `## ${lead.requirement}: ${escapeMarkdown(shorten(rule?.title ?? lead.message, 400))}`,
      facts.join('\n'),
      renderRule(rule),
      fenced(differenceOf(lead), 'diff'),
      ...renderReasons(reasonsOf(lead)),
      ...(story === null ? renderSteps(lines) : renderStory(story, lines)),
      ...(contrast === undefined
        ? []
        : [`A similar request was answered correctly: ${escapeMarkdown(contrastText(contrast))}`]),
      ...(rule?.advice === undefined ? [] : [`**Look at:** ${escapeMarkdown(rule.advice.look)}`]),
      '### Reproduce',
      fenced(
        [
          lead.reproduce.command,
          ...(script === null ? [] : [`# as a script that needs no Gatecheck:`, script]),
          ...(lead.reproduce.curl === null ? [] : [lead.reproduce.curl]),
        ]
          .map((line) => shorten(line, 20_000))
          .join('\n'),
        'sh',
      ),
      `Fingerprint ${code(lead.fingerprint)}, found by ${code(lead.check)}, seed ${lead.reproduce.seed}, Gatecheck ${result.tool.version}. [In the report](${link})`,
    ].join('\n\n') + '\n'
  );
}

function nameOfTarget({ target }: TicketContext['result']): string {
  const address = target.baseUrl ?? (Object.values(target.baseUrls).join(', ') || `${target.kind} target`);
  return target.name === undefined ? address : `${target.name}, ${address}`;
}

function timeOf(story: FindingStory | null, { run }: TicketContext['result']): string {
  const line = story?.decisive?.line;
  if (line === undefined) return run.startedAt;
  return 'startedAt' in line ? line.startedAt : line.at;
}

function renderRule(rule: RequirementResult | undefined): string {
  if (rule === undefined) return '';
  const places = rule.source.map(
    ({ document, section }) => `${documentTitle(document)}, section “${section}”`,
  );
  const quote = oneLine(shorten(rule.quote ?? rule.title, 2000));
  return `> ${escapeMarkdown(quote)}\n>\n> ${escapeMarkdown(places.join('; '))} (${rule.level})`;
}

function differenceOf({ expected, actual }: Cause['lead']): string {
  const signed = (sign: string, text: string) => shorten(text, longest).replace(/^/gm, `${sign} `);
  return `${signed('-', `expected: ${expected}`)}\n${signed('+', `actual:   ${actual}`)}`;
}

function renderReasons(reasons: readonly string[]): readonly string[] {
  if (reasons.length === 0) return [];
  return [
    `Because of\n\n${reasons.map((text, index) => `${index + 1}. ${escapeMarkdown(shorten(text, 300))}`).join('\n')}`,
  ];
}

/** The steps as a list, and whole what decides, what it rests on, and how its record was made. */
function renderStory(
  { steps: all, decisive, marks, clock, made }: FindingStory,
  lines: readonly string[],
): readonly string[] {
  const telling = all.flatMap(({ isInformative, isDecisive, moments: [first] }) =>
    isInformative && !isDecisive
      ? renderMoment(first, { ...none, request: marks.member ?? 'callbackData' }, '')
      : [],
  );
  const makers = made.flatMap(({ text, line }) => [
    `${escapeMarkdown(text)}.`,
    ...(line?.type === 'exchange' ? renderMoment({ kind: 'exchange', id: line.id, at: 0, line }, none) : []),
  ]);
  return [
    ...(lines.length < 2 ? [] : renderSteps(lines)),
    ...makers,
    ...telling,
    ...(decisive === null ? [] : renderMoment(decisive, marks)),
    ...(clock === null ? [] : [clock]),
  ];
}

/** As code, which numbers and marks stay outside of. */
function renderSteps(lines: readonly string[]): readonly string[] {
  return ['### What happened', fenced(clipped(lines).join('\n'))];
}

/** Request and answer, or the callback as it came; `sign` stands behind what is marked in the request. */
function renderMoment(moment: Moment, marks: Marks, sign = here): readonly string[] {
  if (moment.kind === 'state') return [];
  const { header } = marks;
  const answered = (text: string) => linesOf(text, marks.member, marks.value);
  if (moment.kind === 'delivery') {
    const { target, method, headers, body } = moment.line.request;
    const callback = { first: `${method} ${target}`, headers, body: answered(bodyText(body)), header };
    return [`**Callback ${moment.id}**`, messageOf(callback)];
  }
  const { request, response, failure } = moment.line;
  const asked = withQuoted(linesOf(bodyText(request.body), marks.request ?? null), marks.quoted ?? null);
  const sent = { first: `${request.method} ${request.url}`, headers: request.headers, body: asked, sign };
  if (response === null)
    return [
      `**Request ${moment.id}**`,
      messageOf(sent),
      `No answer: ${escapeMarkdown(failure?.message ?? 'unknown')}`,
    ];
  const status = `HTTP ${response.status}${marks.status ? here : ''}`;
  const answer = {
    first: status,
    headers: response.headers,
    body: answered(bodyText(response.body)),
    header,
  };
  return [`**Request ${moment.id}**`, messageOf(sent), '**Answer**', messageOf(answer)];
}

function linesOf(text: string, member: string | null, value: string | null = null): readonly BodyLine[] {
  return text === '' ? [] : bodyLines(shorten(text, longestBody), member, value);
}

const here = '   ← here';

interface Message {
  /** What comes before the headers: method and target, or the status. */
  readonly first: string;
  readonly headers: Headers;
  readonly body: readonly BodyLine[];
  /** The header that is wrong. */
  readonly header?: string | null;
  readonly sign?: string;
}

function messageOf({ first, headers, body, header = null, sign = here }: Message): string {
  const isWrong = (name: string) => name.toLowerCase() === header;
  const fields = headers
    .filter(([name]) => !isQuiet(name) || isWrong(name))
    .map(([name, value]) => `${name}: ${value}${isWrong(name) ? here : ''}`);
  const lines = partsOf(body).flatMap(({ isAway, lines: own }) =>
    isAway
      ? [`… ${own.length} more lines`]
      : own.map(({ text, marked }) => (marked ? `${text}${sign}` : text)),
  );
  const all = [first, ...fields, ...(lines.length === 0 ? [] : ['', ...lines])];
  return fenced(all.map((line) => shorten(line, 2000)).join('\n'), 'http');
}
