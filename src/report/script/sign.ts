import type { Finding } from '../../engine/finding.ts';
import type { ExchangeLine } from '../../send/journalLine.ts';
import { memberNamedBy, valueNamedBy } from '../member.ts';
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

function statusSign({ expected, actual }: Finding, status: number, text: string): Sign | null {
  const [, got = '', code] = /^HTTP (\d{3})\b(?: ([A-Z][A-Z_]{3,60})\b)?/.exec(actual) ?? [];
  if (got !== String(status)) return null;
  const isSame = new RegExp(String.raw`\b${got}\b`).test(expected);
  if (!isSame) return { ...nothing, status, words: `HTTP ${status}` };
  if (code === undefined || !text.includes(`"${code}"`) || expected.includes(code)) return null;
  return {
    ...nothing,
    status,
    body: { pattern: [`"${code}"`], absent: false },
    words: `HTTP ${status} ${code}`,
  };
}

const nothing: Sign = { status: null, body: null, header: null, words: '' };

const fields = /\b(content-type|cache-control|retry-after|www-authenticate|location|content-length|vary)\b/i;

function headerSign(
  { expected, actual, code = '' }: Finding,
  { headers }: NonNullable<ExchangeLine['response']>,
): Sign | null {
  const name = fields.exec(`${code} ${expected} ${actual}`)?.[1];
  if (name === undefined) return null;
  const value = headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
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
  const member = memberNamedBy(finding) ?? lacking(finding);
  const name = member
    ?.split('.')
    .at(-1)
    ?.replace(/\[\d*\]$/, '');
  if (name === undefined || !/^\w{1,60}$/.test(name)) return null;
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
function otherIdSign({ expected }: Finding, name: string, { text, variables }: Body): Sign | null {
  const due = variables.find(({ value, from }) => typeof from === 'object' && expected.includes(value));
  if (due === undefined || text.includes(due.value) || text.includes('"data":[')) return null;
  return {
    ...nothing,
    status: 200,
    body: { pattern: [due], absent: true },
    words: `another ${name} than that of step ${typeof due.from === 'object' ? due.from.step + 1 : 1}`,
  };
}

/** The member that is missing according to the finding. */
function lacking({ actual }: Finding): string | null {
  return (
    /^(?:no|without|lacks) ([a-z]\w*)\b/.exec(actual)?.[1] ??
    /^([a-z][\w.]*) (?:is )?(?:absent|missing)\b/.exec(actual)?.[1] ??
    null
  );
}

/** Members whose numbers depend on what existed before. */
const counting = /^(?:total|totalPages|consumed_units|included_units|booking_id)$/;

/** A count that is different each time, or a value that is due. */
function isDueAnyway(name: string, { expected }: Finding, value: string): boolean {
  if (instants.test(name) && /\d{4}-\d\d-\d\dT/.test(expected)) return true;
  return (
    expected.endsWith(` ${value}`) || (/^-?\d+$/.test(value) && counting.test(name) && /\d/.test(expected))
  );
}

const typeWords = [
  [/\bnumber\b|\binteger\b/, '-?[0-9]'],
  [/\bstring\b|\btext\b/, '"'],
  [/\barray\b|\blist\b/, String.raw`\[`],
  [/\bboolean\b|\btrue\b|\bfalse\b/, '(true|false)'],
  [/\bobject\b/, String.raw`\{`],
] as const;

/** If the type is wrong, the type is the sign; else the value, with a wildcard for what is different each time. */
function patternOf(
  value: string,
  { expected }: Finding,
  variables: readonly ScriptVariable[],
): readonly SignPiece[] {
  const own = typeOf(value);
  const due = typeWords.find(([word]) => word.test(expected))?.[1];
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
  const { expected, actual } = finding;
  const named = [
    ...actual.slice(0, 1000).matchAll(/"([^"\\]{3,200})"|\b([A-Z][A-Z_]{4,60}|[a-z]+_[\w-]{8,80})\b/g),
  ];
  const values = named.map(([, quoted, word]) => quoted ?? word ?? '');
  const value = values.find((one) => text.includes(`"${one}"`) && !expected.includes(one));
  if (value === undefined) return null;
  const pattern = openedUp(`"${value}"`, variables);
  return { ...nothing, status, body: { pattern, absent: false }, words: `"${value}"` };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
