import type { Palette } from '../../core/palette.ts';
import type { Finding } from '../../engine/finding.ts';
import { headerNamedBy, memberNamedBy, valueNamedBy } from '../member.ts';
import { bodyLines, type BodyLine } from '../page/jsonView.ts';
import { gapsOf, grouped, type MomentGroup } from '../page/grouped.ts';
import { bodyText, decisiveOf, momentsOf, targetOf, type Moment } from '../page/moments.ts';
import { offendingMember, refusedMember, valueOfCase, withQuoted } from '../page/offending.ts';
import type { PageEvidence } from '../page/pageData.ts';
import { wrongOf } from '../page/telling.ts';
import { movedClockText, namesTime } from '../movedClock.ts';
import { isSilent } from '../silence.ts';
import { countedIn } from '../story.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { senderText } from '../text/sender.ts';

/** Steps that are shown of a long case: the first ones and the last. */
const steps = { first: 3, last: 6 };
const mostLines = 14;
const around = 4;
const width = 160;
/** Most characters shown of the requests that led to the decisive answer. */
const longestSent = 600;

/** What happened in the failing case, one numbered line per step; for the decisive one, what was sent and answered. */
export function renderHappened(
  finding: Finding,
  evidence: Pick<PageEvidence, 'lines' | 'states' | 'contrasts'>,
  palette: Palette,
): readonly string[] {
  const moments = momentsOf(finding, evidence);
  if (moments.length === 0) return renderStored(finding);
  const groups = grouped(moments, decisiveOf(finding, moments), {
    isCounted: countedIn(finding).length > 0,
    ...wrongOf(finding),
  });
  const toldOf = groups.filter(({ isTelling }) => isTelling).length;
  const decisive = groups.find(({ isDecisive }) => isDecisive)?.moments[0];
  const moved =
    decisive === undefined || !namesTime(finding) ? null : movedClockText(evidence.states, decisive.at);
  const offending = offendingMember(evidence.contrasts?.[finding.fingerprint], finding.message);
  const [from, to] = [steps.first, groups.length - steps.last];
  const isLeftOut = (index: number) =>
    index >= from && index < to && !groups[index]?.isDecisive && !groups[index]?.isTelling;
  const leftOutFrom = (index: number): number => (isLeftOut(index) ? 1 + leftOutFrom(index + 1) : 0);
  const told = groups.flatMap((group, index) => {
    const [before, after] = gapsOf(group).map((left) => renderGap(left, palette));
    if (isLeftOut(index))
      return isLeftOut(index - 1) ? [] : [palette.dim(`… ${plural(leftOutFrom(index), 'more step')}`)];
    return [
      ...(before ?? []),
      ...renderGroup(group, index + 1, { finding, offending, palette }),
      ...(group.isTelling ? renderSent(group, Math.round(longestSent / toldOf), palette) : []),
      ...(after ?? []),
    ];
  });
  return moved === null ? told : [...told, palette.dim(`   ${moved}`)];
}

/** Gaps between the steps are mentioned, so that nothing seems to follow from what it does not follow. */
function renderGap(left: number, palette: Palette): readonly string[] {
  return left === 0 ? [] : [palette.dim(`   … ${plural(left, 'more request')} of this case`)];
}

interface Look {
  readonly finding: Finding;
  /** The member of the request that it is about, if known. */
  readonly offending: string | null;
  readonly palette: Palette;
}

function renderGroup({ moments, isDecisive }: MomentGroup, number: number, look: Look): readonly string[] {
  const [first] = moments;
  const alike = moments.length > 1 ? look.palette.dim(`  and ${moments.length - 1} more like this`) : '';
  const mark = isDecisive
    ? look.palette.red(`  ← ${isSilent(look.finding) ? 'no callback came' : 'breaks the rule'}`)
    : '';
  const line = `${number}. ${titleOf(first)}${alike}${mark}`;
  return isDecisive ? [line, ...renderWire(first, look)] : [line];
}

/** What a request said that led to the decisive answer, in one line. */
function renderSent({ moments: [first] }: MomentGroup, longest: number, palette: Palette): readonly string[] {
  if (first.kind !== 'exchange') return [];
  const body = bodyText(first.line.request.body);
  // Of a long booking that a callback belongs to, what it registered.
  const at = body.length > longest ? body.indexOf('"callbackData"') : -1;
  const text = oneLine(shorten(at > 0 ? `… ${body.slice(at)}` : body, longest));
  return [`${palette.dim('   sent')} ${text}`];
}

function titleOf(moment: Moment): string {
  const { line } = moment;
  if (moment.kind === 'state') return shown(`state ${moment.line.data.state} ${moment.line.data.params}`);
  if (line.type === 'delivery')
    return shown(`callback ${line.request.method} ${line.request.target}: answered ${line.answer}`);
  const { method, url } = (line as Extract<Moment, { kind: 'exchange' }>['line']).request;
  const { response, failure, key } = line as Extract<Moment, { kind: 'exchange' }>['line'];
  const answer = response === null ? `no answer (${failure?.reason ?? ''})` : `HTTP ${response.status}`;
  return shown(`${method} ${targetOf(url)} ${senderText(key)}: ${answer}`);
}

/** Headers only if the finding is about them. */
function renderWire(moment: Moment, look: Look): readonly string[] {
  if (moment.kind === 'state') return [];
  const { finding, palette, offending } = look;
  const { request } = moment.line;
  const sent = bodyText(request.body);
  const named = headerNamedBy(finding);
  const block = (
    title: string,
    headers: readonly (readonly [string, string])[],
    lines: readonly BodyLine[],
  ) => {
    const fields = headers.filter(([name]) => name.toLowerCase() === named);
    const told = [
      ...fields.map(([name, value]) => palette.bold(shown(`${name}: ${value}`))),
      ...bodyOf(lines, palette),
    ];
    return told.length === 0 ? [] : [palette.dim(`   ${title}`), ...told.map((line) => `     ${line}`)];
  };
  if (moment.kind === 'delivery') return block('received', request.headers, answerLines(sent, finding));
  const { response } = moment.line;
  const answer = bodyText(response?.body ?? null);
  return [
    ...block('sent', request.headers, requestLines(sent, finding, offending)),
    ...block('answered', response?.headers ?? [], answerLines(answer, finding)),
  ];
}

const longestBody = 100_000;

function answerLines(text: string, finding: Finding): readonly BodyLine[] {
  if (text === '') return [];
  return bodyLines(shorten(text, longestBody), memberNamedBy(finding), valueNamedBy(finding));
}

/** What the case is about is marked: the member that requests answered as due do not have, else the value that its name quotes. */
function requestLines(text: string, finding: Finding, offending: string | null): readonly BodyLine[] {
  if (text === '') return [];
  const lines = bodyLines(
    shorten(text, longestBody),
    refusedMember(finding, text) ?? offending ?? memberNamedBy(finding),
  );
  return withQuoted(lines, valueOfCase(finding));
}

/** The lines around the wrong member; else the first ones. */
function bodyOf(lines: readonly BodyLine[], palette: Palette): readonly string[] {
  const marks = lines.flatMap(({ marked }, index) => (marked ? [index] : []));
  const [from, to] =
    lines.length <= mostLines
      ? [0, lines.length]
      : marks.length === 0
        ? [0, mostLines - 1]
        : [Math.max(0, (marks[0] ?? 0) - around), (marks[0] ?? 0) + around + Math.min(marks.length, around)];
  const kept = lines
    .slice(from, to)
    .map(({ text: line, marked }) => (marked ? palette.red(`${shown(line)}  ←`) : shown(line)));
  const rest = lines.length - Math.min(to, lines.length);
  return [
    ...(from > 0 ? [palette.dim(`… ${plural(from, 'line')}`)] : []),
    ...kept,
    ...(rest > 0 ? [palette.dim(`… ${plural(rest, 'line')}`)] : []),
  ];
}

/** If the evidence is missing: what the finding itself stores. */
function renderStored(finding: Finding): readonly string[] {
  const lines = [...stepsOf(finding), ...callbacksOf(finding)].map(({ line }) => line);
  const last = lines.slice(-steps.last);
  return last.map((line, index) => `${lines.length - last.length + index + 1}. ${shown(line)}`);
}

function shown(text: string): string {
  return oneLine(shorten(text, width));
}
