import { ownStart } from '../../core/ownStart.ts';
import { isObject, type Json } from '../../trace/json.ts';

/** What a rule wants at a place, or what came there. */
export type Value = Kind & {
  /** What the kind alone does not say, such as `as before`. */
  readonly note?: string;
  /** The member of the request that it is about. */
  readonly of?: string;
};

export type Kind =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'absent' }
  /** A type of JSON, such as `array`. */
  | { readonly kind: 'type'; readonly name: string }
  /** A form that has a name, such as `YYYY-MM-DD`. */
  | { readonly kind: 'pattern'; readonly name: string }
  | { readonly kind: 'one-of'; readonly values: readonly Kind[] }
  | AnswerValue
  /** All statuses that an operation documents. */
  | { readonly kind: 'statuses'; readonly statuses: readonly number[] }
  | { readonly kind: 'accepted' }
  /** A refusal, perhaps because of a value of a member. */
  | { readonly kind: 'refused'; readonly value?: Json }
  | { readonly kind: 'change'; readonly from: Json; readonly to: Json }
  /** Any answer but these. */
  | { readonly kind: 'other-than'; readonly statuses: readonly number[] }
  /** Several requests or callbacks that count together, by their ids; `model` is the limiter that they fit, null where none does. */
  | {
      readonly kind: 'count';
      readonly text: string;
      readonly ids: readonly string[];
      readonly model?: string | null;
    }
  /** So many of something: `items`, `deliveries`. */
  | { readonly kind: 'number'; readonly value: number; readonly things: string }
  /** Any value, or number of something, within bounds that belong to it; null where there is none. */
  | { readonly kind: 'range'; readonly from: Json; readonly to: Json; readonly things?: string }
  /** What is not shown, or known, but by what it belongs to: `the first delivery`, `another enterprise`. */
  | { readonly kind: 'whose'; readonly whose: string }
  /** A callback that tells these changes. */
  | { readonly kind: 'telling'; readonly changes: Json }
  /** A time that is off by as much. */
  | { readonly kind: 'off'; readonly value: Json; readonly minutes: number }
  /** What cannot be said otherwise. No code reads it. */
  | { readonly kind: 'text'; readonly text: string };

export interface AnswerValue {
  readonly kind: 'answer';
  readonly status: number;
  /** The error code of its body. */
  readonly code?: string;
  /** The `message` of a body without an error code. */
  readonly message?: string;
  /** Why, in the words of the deployment. */
  readonly reason?: string;
  /** What is wrong with its body as a whole. */
  readonly body?: string;
}

export const absent: Value = { kind: 'absent' };

export const accepted: Value = { kind: 'accepted' };

export const refused: Value = { kind: 'refused' };

export function answer(status: number, note?: string): Value {
  return { kind: 'answer', status, ...(note !== undefined && { note }) };
}

export function refusal(status: number, code: string, note?: string): Value {
  return { kind: 'answer', status, code, ...(note !== undefined && { note }) };
}

/** A refusal because of this value of a member. */
export function refusedFor(member: string, json: unknown): Value {
  return { kind: 'refused', of: member, ...(json !== undefined && { value: bounded(json) }) };
}

/** The form of the server's own times. */
export const timestampForm = 'YYYY-MM-DDTHH:mm:ss.sssZ';

/** The first departure of a booking, as a member of it. */
export const firstDeparture = 'departure';

/** Something is missing, whatever it is. */
export const notEmpty: Value = { kind: 'pattern', name: 'an array that is not empty' };

export function value(json: unknown, note?: string): Value {
  const given: Value = json === undefined ? absent : { kind: 'value', value: bounded(json) };
  return note === undefined ? given : noted(given, note);
}

/** A value of its own kind, or one of JSON; an object of JSON is wrapped by `value`. */
export type Given = Value | string | number | boolean | null | undefined | readonly Json[];

export function valueOf(given: Given): Value {
  return isObject(given) ? given : value(given);
}

/** A value that is spelled as in a body, or a text that is none. */
export function asValue(given: Value | string): Value {
  if (typeof given !== 'string') return given;
  try {
    return value(JSON.parse(given));
  } catch {
    return text(given);
  }
}

export function text(words: string): Value {
  return { kind: 'text', text: ownStart(words, longest) };
}

export function type(name: string): Value {
  return { kind: 'type', name };
}

export function pattern(name: string): Value {
  return { kind: 'pattern', name };
}

export function oneOf(...values: readonly unknown[]): Value {
  return { kind: 'one-of', values: values.map((one) => value(one)) };
}

export function change(from: unknown, to: unknown): Value {
  return { kind: 'change', from: bounded(from ?? null), to: bounded(to ?? null) };
}

export function number(count: number, things: string, note?: string): Value {
  const given: Value = Number.isFinite(count)
    ? { kind: 'number', value: count, things }
    : text(`${count} ${things}`);
  return note === undefined ? given : noted(given, note);
}

export function atMost(count: number, things: string, note?: string): Value {
  return { kind: 'range', from: null, to: count, things, ...(note !== undefined && { note }) };
}

export function range(from: Json, to: Json): Value {
  return { kind: 'range', from, to };
}

/** How wrong an instant is, which shows the offset of a timezone. */
export function off(at: number, ms: number): Value {
  const [json, minutes] = [new Date(at).toISOString(), Math.round(Math.abs(ms) / 60_000)];
  return minutes === 0 ? value(json) : { kind: 'off', value: json, minutes };
}

export function whose(name: string): Value {
  return { kind: 'whose', whose: name };
}

export function telling(changes: unknown, note?: string): Value {
  return { kind: 'telling', changes: bounded(changes), ...(note !== undefined && { note }) };
}

export function counted(words: string, ids: readonly string[], model?: string | null): Value {
  const count = { kind: 'count', text: ownStart(words, longest), ids: ids.slice(0, most) } as const;
  return model === undefined ? count : { ...count, model };
}

/** The same value with a note after what it has already. */
export function noted(given: Value, note: string): Value {
  return { ...given, note: given.note === undefined ? note : `${given.note}, ${note}` };
}

/** The texts of a value, as they stand in a body; the first ones of many. */
export function textsIn(given: Kind): readonly string[] {
  const texts: string[] = [];
  const take = (json: Json | undefined): void => {
    if (typeof json === 'string' && json !== '') texts.push(json);
    else if (typeof json === 'object' && json !== null) for (const one of Object.values(json)) take(one);
  };
  if (given.kind === 'value' || given.kind === 'off') take(given.value);
  if (given.kind === 'telling') take(given.changes);
  if (given.kind === 'answer') for (const said of [given.code, given.message, given.reason]) take(said);
  return texts.slice(0, 50);
}

/** Of a value of an answer, as much as is of use: it may be as large as a body, and is kept as long as the run lasts. */
const longest = 8_000;
const deepest = 8;
const most = 200;

function bounded(json: unknown): Json {
  let left = most;
  const take = (given: unknown, depth: number): Json => {
    left -= 1;
    if (typeof given === 'string') return ownStart(given, longest);
    // A number of too many digits is none of JSON any more.
    if (typeof given === 'number') return Number.isFinite(given) ? given : String(given);
    if (typeof given === 'boolean' || given === null) return given;
    if (left <= 0 || depth > deepest) return '…';
    if (Array.isArray(given)) return given.slice(0, left).map((one) => take(one, depth + 1));
    if (!isObject(given)) return null;
    const members = Object.entries(given).slice(0, left);
    return Object.fromEntries(members.map(([name, own]) => [ownStart(name, longest), take(own, depth + 1)]));
  };
  return take(json, 0);
}
