import type { Palette } from '../../core/palette.ts';
import type { Finding } from '../../engine/finding.ts';
import { memberNamedBy, valueNamedBy } from '../member.ts';
import { bodyLines } from '../page/jsonView.ts';
import {
  bodyText,
  decisiveOf,
  gapsOf,
  grouped,
  momentsOf,
  type Moment,
  type MomentGroup,
} from '../page/moments.ts';
import type { PageEvidence } from '../page/pageData.ts';
import { movedClockText, namesTime } from '../movedClock.ts';
import { countedIn } from '../story.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';

/** Steps that are shown of a long case: the first ones and the last. */
const steps = { first: 3, last: 6 };
const mostLines = 14;
const around = 4;
const width = 160;
/** Most characters shown of the request that led to the decisive answer. */
const longestSent = 600;

/** What happened in the failing case, one numbered line per step; for the decisive one, what was sent and answered. */
export function renderHappened(
  finding: Finding,
  evidence: Pick<PageEvidence, 'lines' | 'states'>,
  palette: Palette,
): readonly string[] {
  const moments = momentsOf(finding, evidence);
  if (moments.length === 0) return renderStored(finding);
  const groups = grouped(moments, decisiveOf(finding, moments), {
    isCounted: countedIn(finding).length > 0,
    member: memberNamedBy(finding),
  });
  const decisive = groups.find(({ isDecisive }) => isDecisive)?.moments[0];
  const moved =
    decisive === undefined || !namesTime(finding) ? null : movedClockText(evidence.states, decisive.at);
  const [from, to] = [steps.first, groups.length - steps.last];
  const isLeftOut = (index: number) => index >= from && index < to && !groups[index]?.isDecisive;
  const told = groups.flatMap((group, index) => {
    const [before, after] = gapsOf(group).map((left) => renderGap(left, palette));
    if (isLeftOut(index)) return index === from ? [palette.dim(`… ${to - from} more steps`)] : [];
    return [
      ...(before ?? []),
      ...renderGroup(group, index + 1, { finding, palette }),
      ...(group.isTelling ? renderSent(group, palette) : []),
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
  readonly palette: Palette;
}

function renderGroup({ moments, isDecisive }: MomentGroup, number: number, look: Look): readonly string[] {
  const [first] = moments;
  const alike = moments.length > 1 ? look.palette.dim(`  and ${moments.length - 1} more like this`) : '';
  const mark = isDecisive ? look.palette.red('  ← breaks the rule') : '';
  const line = `${number}. ${titleOf(first)}${alike}${mark}`;
  return isDecisive ? [line, ...renderWire(first, look)] : [line];
}

/** What the request said that led to the decisive answer, in one line. */
function renderSent({ moments: [first] }: MomentGroup, palette: Palette): readonly string[] {
  if (first.kind !== 'exchange') return [];
  const body = bodyText(first.line.request.body);
  // Of a long booking that a callback belongs to, what it registered.
  const at = body.length > longestSent ? body.indexOf('"callbackData"') : -1;
  const text = oneLine(shorten(at > 0 ? `… ${body.slice(at)}` : body, longestSent));
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
  const target = url.replace(/^https?:\/\/[^/]*/, '');
  return shown(`${method} ${target}${key === null ? '' : ` with ${key}`}: ${answer}`);
}

/** Headers only if the finding is about them. */
function renderWire(moment: Moment, { finding, palette }: Look): readonly string[] {
  if (moment.kind === 'state') return [];
  const { request } = moment.line;
  const sent = bodyText(request.body);
  const named = headersNamed(finding);
  const block = (title: string, headers: readonly (readonly [string, string])[], text: string) => {
    const fields = headers.filter(([name]) => named.has(name.toLowerCase()));
    const lines = [
      ...fields.map(([name, value]) => palette.bold(shown(`${name}: ${value}`))),
      ...(text === '' ? [] : bodyOf(text, finding, palette)),
    ];
    return lines.length === 0 ? [] : [palette.dim(`   ${title}`), ...lines.map((line) => `     ${line}`)];
  };
  if (moment.kind === 'delivery') return block('received', request.headers, sent);
  const { response } = moment.line;
  const answer = bodyText(response?.body ?? null);
  return [...block('sent', request.headers, sent), ...block('answered', response?.headers ?? [], answer)];
}

function headersNamed({ expected, actual }: Finding): ReadonlySet<string> {
  const words = `${expected.slice(0, 500)} ${actual.slice(0, 500)}`.toLowerCase();
  return new Set(words.match(/[a-z][a-z0-9_-]*/g));
}

/** The lines around the wrong member; else the first ones. */
function bodyOf(text: string, finding: Finding, palette: Palette): readonly string[] {
  const lines = bodyLines(shorten(text, 100_000), memberNamedBy(finding), valueNamedBy(finding));
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
