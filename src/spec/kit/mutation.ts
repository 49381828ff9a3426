import type * as FastCheck from 'fast-check';
import { isJsonObject, objectsAt, textAt, without, type JsonObject, type JsonValue } from './json.ts';

/** A change of a valid request, or of an object in it. */
export type Mutation<T = JsonObject> = (valid: T) => T;

/** Makes something random. Whoever makes brings fast-check along, so that whoever only recognises does without it. */
export type Make<T = Mutation> = (fc: typeof FastCheck) => FastCheck.Arbitrary<T>;

/** Always the same. */
export function always<T = Mutation>(value: T): Make<T> {
  return (fc) => fc.constant(value);
}

/** One of several. */
export function oneOf<T>(...values: readonly T[]): Make<T> {
  return (fc) => fc.constantFrom(...values);
}

/** What a function makes of something random. */
export function mapped<T, R>(make: Make<T>, map: (value: T) => R): Make<R> {
  return (fc) => make(fc).map(map);
}

/** Sets a member to one of the values. */
export function setTo(member: string, ...values: readonly JsonValue[]): Make {
  return mapped(oneOf(...values), (value) => (object) => ({ ...object, [member]: value }));
}

/** Sets a member to one of the values, derived from its valid text. */
export function rewrite(member: string, ...rewrites: readonly ((valid: string) => JsonValue)[]): Make {
  return rewriteBy(member, oneOf(...rewrites));
}

/** Sets a member to what such a function makes of its valid text. */
export function rewriteBy(member: string, rewrites: Make<(valid: string) => JsonValue>): Make {
  return mapped(rewrites, (change) => (object) => ({
    ...object,
    [member]: change(textAt(object, member)),
  }));
}

/** Leaves a member out. */
export function drop(member: string): Make {
  return always((object) => without(object, member));
}

/** Changes a member that is an object; `plain` is put there where the request has none. */
export function inMember(member: string, plain: JsonObject, edit: Make): Make {
  return mapped(edit, (change) => (object) => {
    const held = object[member];
    return { ...object, [member]: change(isJsonObject(held) ? held : plain) };
  });
}

/** Applies the edit to one element of a list, at `from` or later. */
export function inElement(list: string, edit: Make, from = 0): Make {
  return (fc) =>
    fc.tuple(fc.nat({ max: 11 }), edit(fc)).map(
      ([place, change]) =>
        (body) =>
          changed(body, list, change, (at, count) => at === from + (place % Math.max(1, count - from))),
    );
}

/** Applies the edit to the first or last element of a list. */
export function atEnd(end: 'first' | 'last', list: string, edit: Make): Make {
  return mapped(
    edit,
    (change) => (body) =>
      changed(body, list, change, (at, count) => at === (end === 'first' ? 0 : count - 1)),
  );
}

/** Applies the edit to every element of a list. */
export function inEvery(list: string, edit: Make): Make {
  return mapped(edit, (change) => (body) => changed(body, list, change, () => true));
}

function changed(
  body: JsonObject,
  list: string,
  change: Mutation,
  isChosen: (at: number, count: number) => boolean,
): JsonObject {
  const elements = objectsAt(body, list);
  const edited = elements.map((element, at) => (isChosen(at, elements.length) ? change(element) : element));
  return { ...body, [list]: edited };
}

/** One mutation after the other. */
export function inTurn(first: Make, second: Make): Make {
  return (fc) =>
    fc.tuple(first(fc), second(fc)).map(
      ([change, after]) =>
        (object) =>
          after(change(object)),
    );
}
