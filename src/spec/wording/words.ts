import { isObject, type Json } from '../../trace/json.ts';
import type { AnswerValue, Kind, Value } from '../kernel/value.ts';
import type { Wrong } from '../kernel/findings.ts';

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
export function wordsOf({ at, want, got }: Pick<Wrong, 'at' | 'want' | 'got'>): Said {
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
  return /^(?:and|or|for|beyond|between|with|without|of|where|in|on|at|that|from|after|before) /.test(
    value.note,
  )
    ? `${words} ${value.note}`
    : `${words}, ${value.note}`;
}

function placed(at: string, value: Value, link: string): string {
  const where = at === 'body' || at === '' ? 'the body' : at.replace(/^header /, '');
  if (value.kind === 'absent') return link === ' is ' ? `${where} is absent` : noneOf(at);
  if (value.kind === 'whose') return `the ${where} of ${value.whose}`;
  const words =
    at.startsWith('header ') && value.kind === 'value' && typeof value.value === 'string'
      ? value.value
      : kindWords(value);
  // What names its place itself, or is no value of a place.
  const isCount = value.kind === 'range' && value.things !== undefined;
  return isCount || standAlone.has(value.kind) || at === 'answer' || at === 'callback'
    ? words
    : `${where}${link}${words}`;
}

function noneOf(at: string): string {
  return `no ${at.replace(/^header /, '')}`;
}

const standAlone: ReadonlySet<Kind['kind']> = new Set([
  ...(['answer', 'statuses', 'other-than', 'accepted', 'refused', 'count', 'change', 'text'] as const),
  ...(['number', 'telling'] as const),
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
    case 'number':
      return numbered(value.value, value.things);
    case 'range':
      return rangeWords(value);
    case 'whose':
      return `that of ${value.whose}`;
    case 'telling':
      return `a callback with ${membersWords(value.changes)}`;
    case 'off':
      return `${jsonWords(value.value)}, ${value.minutes} minutes off`;
    case 'count':
    case 'text':
      return value.text;
  }
}

function numbered(count: number, things: string): string {
  const one = things.replace(/ies$/, 'y').replace(/s$/, '');
  return `${count === 0 ? 'no' : count} ${count === 1 ? one : things}`;
}

function rangeWords({ from, to, things }: Extract<Value, { kind: 'range' }>): string {
  const unit = things === undefined ? '' : ` ${things}`;
  const [low, high] = [from, to].map(jsonWords);
  if (from === null) return `at most ${high}${unit}`;
  if (to === null) return typeof from === 'string' ? `not before ${low}` : `at least ${low}${unit}`;
  return `between ${low} and ${high}${unit}`;
}

/** `status "FAILED" and reason null` */
function membersWords(json: Json): string {
  if (!isObject(json)) return jsonWords(json);
  const words = Object.entries(json).map(([name, own]) => `${name} ${jsonWords(own)}`);
  return words.length === 0 ? 'no changes' : words.join(' and ');
}

/** Longest value that is shown whole; the evidence has more. */
const longest = 300;

/** A value of a body as text for people: short, and with its type visible. */
export function jsonWords(json: unknown): string {
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
