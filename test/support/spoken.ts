import type { Json } from '../../src/trace/json.ts';
import {
  absent,
  accepted,
  counted,
  firstDeparture,
  noted,
  notEmpty,
  oneOf,
  pattern,
  text as textOf,
  type,
  value,
  type Value,
} from '../../src/spec/kernel/value.ts';
import type { Wrong } from '../../src/spec/kernel/findings.ts';

/** The data of a violation, as it is written shortest: by its two sentences. */
export function spoken(code: string, expected: string, actual: string): Wrong {
  const [want, got] = [read(expected.slice(0, longest)), read(actual.slice(0, longest))];
  const ids = idsIn(actual);
  const isCount = got.value.kind === 'text' && ids.length > 1;
  return {
    code,
    at: placeOf(code, { ...want, text: expected }, { ...got, text: actual }),
    want: want.value,
    got: isCount ? counted(actual, ids) : got.value,
    ...(ids.length > 0 && { because: ids.map((id) => ({ id })) }),
  };
}

/** Longest part of a sentence that is read. */
const longest = 1000;

interface Read {
  readonly at: string | null;
  readonly value: Value;
}

function read(words: string): Read {
  return (
    readAnswer(words) ??
    readRefusal(words) ??
    readMember(words) ??
    readJson(words) ?? { at: null, value: textOf(words) }
  );
}

function readAnswer(words: string): Read | null {
  if (/^(?:none|no callback)$/.test(words)) return { at: null, value: absent };
  const documented = /^one of HTTP ([\d, ]+)$/.exec(words)?.[1];
  if (documented !== undefined)
    return { at: 'answer', value: { kind: 'statuses', statuses: documented.split(', ').map(Number) } };
  const parts = words.split(' or ');
  const wanted = parts.map((one) => /^HTTP (\d{3})(?: ([A-Z][A-Z_]+))?$/.exec(one));
  if (parts.length > 1 && wanted.every((one) => one !== null))
    return {
      at: 'answer',
      value: {
        kind: 'one-of',
        values: wanted.map(([, status, code]) => ({
          kind: 'answer',
          status: Number(status),
          ...(code !== undefined && { code }),
        })),
      },
    };
  const [, status, rest = ''] = /^HTTP (\d{3})\b(.*)$/s.exec(words) ?? [];
  return status === undefined ? null : { at: 'answer', value: answerOf(Number(status), rest) };
}

function answerOf(status: number, rest: string): Value {
  const [, code, message, reason, body, after = ''] =
    /^(?: ([A-Z][A-Z_]+)| message (\S+))?(?: \((.*)\))?(?: with (no JSON.*|an empty body|bytes.*))?(.*)$/s.exec(
      rest,
    ) ?? [];
  const note = after.replace(/^,? /, '');
  return {
    ...{ kind: 'answer', status },
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(body !== undefined && { body }),
    ...(note !== '' && { note }),
    ...departureIn(after),
  };
}

/** What is too close is told of the first departure. */
function departureIn(words: string): { readonly of?: string } {
  return / is \d h \d+ min ahead$/.test(words) ? { of: firstDeparture } : {};
}

function readRefusal(words: string): Read | null {
  const other = /^an answer other than ([\d or]+)$/.exec(words)?.[1];
  if (other !== undefined)
    return { at: 'answer', value: { kind: 'other-than', statuses: other.split(' or ').map(Number) } };
  if (/^(?:the request|a valid request) to be accepted/.test(words)) return { at: 'answer', value: accepted };
  const [, member, rest] = /^a refusal(?: of ([a-z][\w.[\]]*) (.*))?$/is.exec(words) ?? [];
  if (!words.startsWith('a refusal')) return null;
  if (member === undefined) return { at: 'answer', value: { kind: 'refused', ...departureIn(words) } };
  const [given, note] = jsonIn(rest ?? '') ?? [undefined, rest];
  const refused: Value = { kind: 'refused', of: member, ...(given !== undefined && { value: given }) };
  return { at: 'answer', value: note === undefined ? refused : noted(refused, note) };
}

const memberPattern = /^(?:\[\d*\]\.)?[a-z][\w-]*(?:\[\d*\])?(?:\.\w+(?:\[\d*\])?)*(?= )/i;

function readMember(words: string): Read | null {
  const lacking = /^(?:no|without|lacks) ([a-z][\w.[\]]*)(?:, (.*))?$/.exec(words);
  if (lacking !== null) return withNote(lacking[1] ?? '', absent, lacking[2]);
  const named = words.replace(/^an? (?=\S+ that is not empty)/, '');
  const at = memberPattern.exec(named)?.[0];
  if (at === undefined) return null;
  const rest = named.slice(at.length + 1).replace(/^(?:is|as) /, '');
  const off = /^(\d+) minutes off/.exec(rest)?.[1];
  if (off !== undefined) return { at, value: { kind: 'off', value: null, minutes: Number(off) } };
  const json = jsonIn(rest);
  if (json !== null) return withNote(at, value(json[0]), json[1]);
  if (/^(?:absent|missing)$/.test(rest)) return { at, value: absent };
  const typeName = /^an? (array|object|number|string|boolean|integer)\b/.exec(rest)?.[1];
  if (typeName !== undefined) return { at, value: type(typeName) };
  if (rest.startsWith('that is not empty')) return { at, value: notEmpty };
  const listed = rest.startsWith('one of ') ? parsed(`[${rest.slice('one of '.length)}]`) : undefined;
  if (listed !== undefined) return { at, value: oneOf(...(listed as readonly Json[])) };
  const change = /^callback of ("\w+"|null) → ("\w+"|null)/.exec(rest);
  if (change !== null)
    return {
      at: 'callback',
      value: { kind: 'change', from: parsed(change[1]) ?? null, to: parsed(change[2]) ?? null },
    };
  return /^[a-z]+ is /i.test(words) || rest.includes('YYYY')
    ? { at, value: pattern(rest) }
    : { at, value: textOf(words) };
}

function readJson(words: string): Read | null {
  const [json, note] = jsonIn(words) ?? [];
  if (json === undefined || typeof json === 'number') return null;
  const at = typeof json === 'object' && json !== null && !Array.isArray(json) ? 'body' : null;
  return { at, value: note === undefined ? value(json) : noted(value(json), note) };
}

function withNote(at: string, given: Value, note: string | undefined): Read {
  return { at, value: note === undefined ? given : noted(given, note) };
}

/** The value that a text begins with, and what follows it. */
function jsonIn(words: string): readonly [Json, string?] | null {
  const whole = parsed(words);
  if (whole !== undefined) return [whole];
  const [, begin, note] =
    /^("(?:[^"\\]|\\.)*"|-?\d[\d.]*|true|false|null|\[.*?\]|\{.*?\}),? (.+)$/s.exec(words) ?? [];
  const json = parsed(begin);
  return json === undefined || note === undefined ? null : [json, note];
}

function parsed(words: string | undefined): Json | undefined {
  try {
    return words === undefined ? undefined : (JSON.parse(words) as Json);
  } catch {
    return undefined;
  }
}

type Sentence = Read & { readonly text: string };

const headers =
  /\b(content-type|cache-control|retry-after|www-authenticate|location|content-length|vary|authorization)\b/i;

function placeOf(code: string, want: Sentence, got: Sentence): string {
  if (got.at !== null && got.at === want.at) return got.at;
  if (got.at !== null && /^[a-z]\w*$/.test(got.at) && want.text.split(/[^\w]+/).includes(got.at))
    return got.at;
  if (got.at !== null && /^data\[\d+\]\.[a-z]\w*$/.test(got.at)) return got.at;
  if (got.at === null && got.value.kind === 'value' && want.at !== null && want.value.kind === 'value')
    return want.at;
  const shape = /^shape:(.+)$/.exec(code)?.[1];
  if (shape !== undefined) return shape;
  if (got.value.kind === 'answer') return 'answer';
  if (got.at === 'body') return 'body';
  const header = headers.exec(`${code} ${want.text} ${got.text}`)?.[1];
  if (header !== undefined) return `header ${header}`;
  if (got.value.kind === 'absent') return got.at ?? 'callback';
  return /callback|notification|deliver/i.test(`${want.text} ${got.text}`) ? 'callback' : '';
}

/** Ids of exchanges and callbacks in a text. */
function idsIn(words: string): string[] {
  return [...words.slice(0, 16_000).matchAll(/\b[xc]\d+\b/g)].map(([id]) => id).slice(0, 200);
}
