import type { Json } from '../../trace/json.ts';
import type { AnswerValue, Kind, Value } from '../kernel/value.ts';
import type { Wrong } from '../kernel/violation.ts';

interface Said {
  readonly expected: string;
  readonly actual: string;
}

/** The message of a finding: the rule in words, what was expected and what came. */
export function wordFinding(title: string, { expected, actual }: Said): string {
  return `${sentence(title)} Expected ${clip(expected)}; got ${clip(actual)}.`;
}

function sentence(title: string): string {
  const text = title.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** One line, since messages appear in tables and on consoles; the evidence has the whole value. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** What was expected and what came, for people: the one place where a violation becomes sentences. */
export function wordsOf({ at, want, got, said }: Wrong): Said {
  if (said !== undefined) return said;
  // A form is said of a place, `limit is an integer`; a value stands beside it, `limit 25`.
  const link = isForm(want) ? ' is ' : ' ';
  return { expected: wordsAt(at, want, link), actual: wordsAt(at, got, link) };
}

function isForm({ kind }: Value): boolean {
  return kind === 'type' || kind === 'pattern' || kind === 'one-of';
}

function wordsAt(at: string, value: Value, link: string): string {
  const words = placed(at, value, link);
  if (value.note === undefined) return words;
  return /^(?:for|beyond|between|with) /.test(value.note)
    ? `${words} ${value.note}`
    : `${words}, ${value.note}`;
}

function placed(at: string, value: Value, link: string): string {
  const where = at === 'body' || at === '' ? 'the body' : at.replace(/^header /, '');
  if (value.kind === 'absent') return link === ' is ' ? `${where} is absent` : noneOf(at);
  const words =
    at.startsWith('header ') && value.kind === 'value' && typeof value.value === 'string'
      ? value.value
      : kindWords(value);
  // What names its place itself, or is no value of a place.
  return standAlone.has(value.kind) || at === 'answer' || at === 'callback'
    ? words
    : `${where}${link}${words}`;
}

function noneOf(at: string): string {
  return at === 'callback' || at === 'answer' ? 'none' : `no ${at.replace(/^header /, '')}`;
}

const standAlone: ReadonlySet<Kind['kind']> = new Set([
  ...(['answer', 'statuses', 'other-than', 'accepted', 'refused', 'count', 'change', 'text'] as const),
]);

/** The words of a value alone. */
export function kindWords(value: Value): string {
  switch (value.kind) {
    case 'value':
      return jsonWords(value.value);
    case 'absent':
      return 'absent';
    case 'type':
      return `${/^[aeiou]/.test(value.name) ? 'an' : 'a'} ${value.name}`;
    case 'pattern':
      return value.name;
    case 'one-of':
      return oneOfWords(value.values);
    case 'answer':
      return answerWords(value);
    case 'statuses':
      return `one of HTTP ${value.statuses.join(', ')}`;
    case 'other-than':
      return `an answer other than ${value.statuses.join(' or ')}`;
    case 'accepted':
      return 'the request to be accepted';
    case 'refused':
      return refusedWords(value);
    case 'change':
      return `a callback of ${jsonWords(value.from)} → ${jsonWords(value.to)}`;
    case 'off':
      return `${jsonWords(value.value)}, ${value.minutes} minutes off`;
    case 'count':
    case 'text':
      return value.text;
  }
}

/** Longest value that is shown whole; the evidence has more. */
const longest = 300;

/** A value of a body as text for people: short, and with its type visible. */
export function jsonWords(json: Json | undefined): string {
  if (json === undefined) return 'absent';
  const text = JSON.stringify(json);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function oneOfWords(values: readonly Kind[]): string {
  const words = values.map(kindWords);
  if (values.some(({ kind }) => kind === 'answer')) return words.join(' or ');
  return words.length === 1 ? (words[0] ?? '') : `one of ${words.join(', ')}`;
}

/** `HTTP 422 REJECTED (The first departure is too close.)` */
export function answerWords({ status, code, message, reason, body }: Omit<AnswerValue, 'kind'>): string {
  const said = code ?? (message === undefined ? undefined : `message ${message}`);
  if (said === undefined) return `HTTP ${status}${body === undefined ? '' : ` with ${body}`}`;
  return `HTTP ${status} ${said}${reason === undefined ? '' : ` (${reason})`}`;
}

function refusedWords({ of, value }: Extract<Value, { kind: 'refused' }>): string {
  if (of === undefined) return 'a refusal';
  return `a refusal of ${of}${value === undefined ? '' : ` ${jsonWords(value)}`}`;
}
