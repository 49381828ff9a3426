import type { OperationId } from '../../core/operations.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../kit/json.ts';
import { drop, type Make, setTo } from '../kit/mutation.ts';

/**
 * What the documents say about a way to write a member:
 * `fault` is refused under every reading; `lacking` is refused, or accepted and counted as missing information; `free` is allowed by
 * name, so that it is no reason of a refusal; readers of an `open` one differ, so that it is neither.
 */
export type FormKind = 'free' | 'fault' | 'lacking' | 'open';

/**
 * How a conforming service refuses it: `payload` is 400 VALIDATION_ERROR and nothing else; `journey` may also be 422 REJECTED, or 200
 * with message REJECTED, since the documents leave open which step finds the fault.
 */
export type Refusal = 'payload' | 'journey';

/** A body or a query, as it was sent. */
export type Sent = Readonly<Record<string, unknown>>;

/** Where a request is read: what a sentence means can depend on it. */
export interface Asked {
  readonly operation: OperationId;
  readonly carrier: 'json' | 'multipart' | 'query';
  /** The deployment's clock, if it is known; without it nothing is said about what is past. */
  readonly now?: number;
}

/** One way to write a member of a request: how it is recognised, and how it is made. */
export interface Form {
  readonly name: string;
  readonly kind: FormKind;
  /** The sentence that speaks of it. An open form has one if the catalogue prefers a refusal as the likelier reading (a should). */
  readonly rule: string | null;
  readonly refusal: Refusal;
  readonly fits: (value: unknown, asked: Asked) => boolean;
  /** Whether that depends on the clock: no other form is told the time. */
  readonly isDated?: true;
  /** A change of the object that holds the member. */
  readonly make: Make;
  /** The only elements of a list in which it breaks nothing else, or `every` if it has to stand in all of them. */
  readonly only?: 'first' | 'last' | 'every';
  /** The member that a form of a whole request is about, such as `payload.pnr`. */
  readonly about?: string;
  /** Whether an object has a place for it; every object if left out. */
  readonly applicable?: (holder: JsonObject) => boolean;
}

/** A member with its forms in order: the first one that fits is how a value is read. */
export interface Member {
  readonly forms: readonly Form[];
  /** Traits of a value without fault, each of which is read for itself. */
  readonly also?: readonly Form[];
  /** The table of the object in it. */
  readonly inside?: Table;
  /** The table of the objects in its list. */
  readonly each?: Table;
  /** The forms of the list as a whole, which is read if its elements have no fault. */
  readonly whole?: readonly Form[];
  /** What stands there if a valid request has nothing in which a form has its place. */
  readonly plain?: JsonObject | readonly JsonObject[];
  readonly shape?: Shape;
}

/** What the values of a member look like. The forms refuse by it, and descriptions of the interface show it. */
export interface Shape {
  /** Where no form is about other types. */
  readonly types?: readonly ('string' | 'integer')[];
  /** Patterns of its texts, one for each way that the documents name. */
  readonly texts?: readonly RegExp[];
  readonly format?: 'uri' | 'date';
  /** Most characters of a text. */
  readonly longest?: number;
  /** All its values, if they are words. */
  readonly words?: readonly string[];
  /** Words beside them that only some readers accept, and the open point about these. */
  readonly perhaps?: { readonly words: readonly string[]; readonly point: string };
  /** The open point about its other values. */
  readonly point?: string;
}

/** The members of an object, as one table of the documents lists them. */
export type Table = Readonly<Record<string, Member>>;

type Fits = Form['fits'];
type Has = (value: unknown) => boolean;

const formOf =
  (kind: FormKind, refusal: Refusal = 'payload') =>
  (rule: string, name: string, fits: Fits, make: Make): Form => ({
    ...{ name, kind, rule, refusal, fits, make },
  });

/** Refused with 400. */
export const fault = formOf('fault');
/** Refused with 400 or, as some read it, by a later step. */
export const unfit = formOf('fault', 'journey');
export const lacking = formOf('lacking');
export const free = formOf('free');
/** Open, with a should of the catalogue for the reading that refuses it. */
export const doubtful = formOf('open');

/** The same form, which goes by the clock. */
export function dated(form: Form): Form {
  return { ...form, isDated: true };
}

export function open(name: string, fits: Fits, make: Make): Form {
  return { name, kind: 'open', rule: null, refusal: 'payload', fits, make };
}

/** The forms `absent-…` and `null-…` of a member. */
export function missing(form: typeof fault, rule: string, member: string): readonly Form[] {
  return [
    form(rule, `absent-${member}`, is(undefined), drop(member)),
    form(rule, `null-${member}`, is(null), setTo(member, null)),
  ];
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const textOf = (value: unknown): string => (isText(value) ? value : '');
export const isMissing = (value: unknown): boolean => value === undefined || value === null;
export const isObject = (value: unknown): value is JsonObject => isJsonObject(value as JsonValue);
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isEmpty = (value: unknown): boolean => isList(value) && value.length === 0;

/** Fits this value alone. */
export const is =
  (wanted: unknown): Has =>
  (value) =>
    value === wanted;
/** Fits what does not have this property. */
export const not =
  (has: Has): Has =>
  (value) =>
    !has(value);
/** Fits a text that has this property. */
export const texts =
  (has: (text: string) => boolean): Fits =>
  (value) =>
    isText(value) && has(value);
/** Fits a text like one of the patterns, or like none. */
export const like = (...patterns: readonly RegExp[]): Fits =>
  texts((text) => patterns.some((one) => one.test(text)));
export const unlike = (...patterns: readonly RegExp[]): Fits =>
  texts((text) => !patterns.some((one) => one.test(text)));
/** Fits a list with such an element. */
export const listWith =
  (has: Has): Has =>
  (value) =>
    isList(value) && value.some(has);
export const notText = not(isText);
export const other: Fits = () => true;
