import type { Finding } from '../../engine/findings/finding.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { textsIn } from '../../spec/kernel/value.ts';
import {
  answerOf,
  answersDue,
  headerNamedBy,
  jsonOf,
  leavesOf,
  memberNamedBy,
  nameOfMember,
  valueNamedBy,
} from '../member.ts';
import { bodyText } from '../page/moments.ts';
import { piecesOf, type ScriptVariable } from './scriptSteps.ts';

/** What shows in the decisive answer that the rule is still broken, so that a line of shell can look for it. */
export interface Sign {
  /** The status that the answer must have; null for any. */
  readonly status: number | null;
  /** What its body must contain, or must not contain if `absent`, without blanks between its tokens; null for nothing. */
  readonly body: { readonly pattern: readonly SignPiece[]; readonly absent: boolean } | null;
  /** A header line that must be present, or absent; null for nothing. */
  readonly header: { readonly pattern: string; readonly absent: boolean } | null;
  /** The same in words. */
  readonly words: string;
}

/** Part of an extended regular expression, or a variable whose value stands there. */
type SignPiece = string | ScriptVariable;

/** The sign of a finding in its decisive answer; null if the finding shows none. */
export function signOf(
  finding: Finding,
  { response }: ExchangeLine,
  variables: readonly ScriptVariable[],
): Sign | null {
  if (response === null || response.truncated) return null;
  const text = compact(bodyText(response.body));
  return (
    statusSign(finding, response.status, text) ??
    headerSign(finding, response) ??
    memberSign(finding, response.status, { text, variables }) ??
    literalSign(finding, response.status, { text, variables })
  );
}

/** Removes blanks around the tokens that a pattern spans; the script does the same with `sed`. */
export function compact(text: string): string {
  return text
    .replace(/[\r\n]/g, '')
    .replace(/"[ \t]*:[ \t]*/g, '":')
    .replace(/,[ \t]+"/g, ',"');
}

function statusSign(finding: Finding, status: number, text: string): Sign | null {
  const answer = answerOf(finding);
  if (answer?.status !== status) return null;
  const due = answersDue(finding);
  const isDue = finding.want?.kind === 'statuses' && finding.want.statuses.includes(status);
  if (!isDue && due.every((one) => one.status !== status))
    return { ...nothing, status, words: `HTTP ${status}` };
  const { code } = answer;
  if (code === undefined || !text.includes(`"${code}"`) || due.some((one) => one.code === code)) return null;
  return {
    ...nothing,
    status,
    body: { pattern: [`"${code}"`], absent: false },
    words: `HTTP ${status} ${code}`,
  };
}

const nothing: Sign = { status: null, body: null, header: null, words: '' };

function headerSign(finding: Finding, { headers }: NonNullable<ExchangeLine['response']>): Sign | null {
  const name = headerNamedBy(finding);
  if (name === null) return null;
  const value = headers.find(([one]) => one.toLowerCase() === name)?.[1];
  return value === undefined
    ? { ...nothing, header: { pattern: `^${name}:`, absent: true }, words: `no ${name}` }
    : {
        ...nothing,
        header: { pattern: `^${name}:[[:space:]]*${escaped(value)}[[:space:]]*$`, absent: false },
        words: `${name}: ${value}`,
      };
}

interface Body {
  readonly text: string;
  readonly variables: readonly ScriptVariable[];
}

function memberSign(finding: Finding, status: number, { text, variables }: Body): Sign | null {
  const name = nameOfMember(finding);
  if (name === null || !/^\w{1,60}$/.test(name)) return null;
  if (!text.includes(`"${name}":`))
    return {
      ...nothing,
      status,
      body: { pattern: [`"${name}":`], absent: true },
      words: `HTTP ${status} without ${name}`,
    };
  const raw = valueNamedBy(finding)?.replace(/\s+/g, '');
  const all = [
    ...text.matchAll(new RegExp(String.raw`"${name}":("(?:[^"\\]|\\.)*"|[^,}\]"[{]+|\[\]|\{\})`, 'g')),
  ];
  const found = all.map(([, value = '']) => value);
  const value =
    found.find((one) => one.replace(/\s+/g, '') === raw) ?? (found.length === 1 ? found[0] : undefined);
  if (value === undefined || isDueAnyway(name, finding, value)) return null;
  if (/id$/i.test(name)) return otherIdSign(finding, name, { text, variables });
  const pattern = instants.test(name)
    ? [`"${name}":${escaped(value).replace(/\d/g, '[0-9]')}`]
    : [`"${name}":`, ...patternOf(value, finding, variables)];
  return { ...nothing, status, body: { pattern, absent: false }, words: `${name} ${value}` };
}

/** An id is different each time: the sign is that the due one, which an earlier answer gave, is missing. */
function otherIdSign({ want }: Finding, name: string, { text, variables }: Body): Sign | null {
  const ids = leavesOf(jsonOf(want)).map(String);
  const due = variables.find(({ value, from }) => typeof from === 'object' && ids.includes(value));
  if (due === undefined || text.includes(due.value) || text.includes('"data":[')) return null;
  return {
    ...nothing,
    status: 200,
    body: { pattern: [due], absent: true },
    words: `another ${name} than that of step ${typeof due.from === 'object' ? due.from.step + 1 : 1}`,
  };
}

/** Members whose numbers depend on what existed before. */
const counting = /^(?:total|totalPages|consumed_units|included_units|booking_id)$/;

/** A count that is different each time, or a value that is due. */
function isDueAnyway(name: string, { want }: Finding, value: string): boolean {
  const due = jsonOf(want);
  if (instants.test(name) && (typeof due === 'string' || isTimestamp(value))) return due !== null;
  if (due === undefined) return false;
  return JSON.stringify(due) === value || (/^-?\d+$/.test(value) && counting.test(name));
}

/** Of a well-formed time, only the digits can be wrong. */
function isTimestamp(value: string): boolean {
  return /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/.test(value);
}

const typePatterns: Readonly<Partial<Record<string, string>>> = {
  number: '-?[0-9]',
  integer: '-?[0-9]',
  string: '"',
  array: String.raw`\[`,
  boolean: '(true|false)',
  object: String.raw`\{`,
};

/** If the type is wrong, the type is the sign; else the value, with a wildcard for what is different each time. */
function patternOf(
  value: string,
  { want }: Finding,
  variables: readonly ScriptVariable[],
): readonly SignPiece[] {
  const own = typeOf(value);
  const due = want?.kind === 'type' ? typePatterns[want.name] : undefined;
  if (due !== undefined && own !== due && own !== 'null') return [own];
  return openedUp(value, variables);
}

function typeOf(value: string): string {
  if (value.startsWith('"')) return '"';
  if (value.startsWith('[')) return String.raw`\[`;
  if (value.startsWith('{')) return String.raw`\{`;
  if (value === 'null') return 'null';
  return /^(?:true|false)/.test(value) ? '(true|false)' : '-?[0-9]';
}

/** The text as a pattern, with variables inserted. */
function openedUp(text: string, variables: readonly ScriptVariable[]): readonly SignPiece[] {
  return piecesOf(text, variables).map((piece) => (typeof piece === 'string' ? escaped(piece) : piece));
}

/** Members with a server timestamp: only the form of the value is the same each time. */
const instants = /^(?:created_at|last_updated|scheduled_time|occurredAt)$/;

/** A code, an id or a text that the finding got although it was not due, if the answer contains it. */
function literalSign(finding: Finding, status: number, { text, variables }: Body): Sign | null {
  if (memberNamedBy(finding) !== null) return null;
  const { want, got } = finding;
  const due = want === undefined ? [] : textsIn(want);
  const values = (got === undefined ? [] : textsIn(got)).filter(({ length }) => length > 2 && length <= 200);
  const value = values.find((one) => text.includes(`"${one}"`) && !due.includes(one));
  if (value === undefined) return null;
  const pattern = openedUp(`"${value}"`, variables);
  return { ...nothing, status, body: { pattern, absent: false }, words: `"${value}"` };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
