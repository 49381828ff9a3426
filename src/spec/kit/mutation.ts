import * as fc from 'fast-check';
import { isJsonObject, objectsAt, textAt, without, type JsonObject, type JsonValue } from './json.ts';

/** A change of a valid request, or of an object in it. */
export type Mutation<T = JsonObject> = (valid: T) => T;

/** Sets a member to one of the values. */
export function setTo(member: string, ...values: readonly JsonValue[]): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...values).map((value) => (object: JsonObject) => ({ ...object, [member]: value }));
}

/** Sets a member to one of the values, derived from its valid text. */
export function rewrite(
  member: string,
  ...rewrites: readonly ((valid: string) => JsonValue)[]
): fc.Arbitrary<Mutation> {
  return rewriteBy(member, fc.constantFrom(...rewrites));
}

/** Sets a member to what such a function makes of its valid text. */
export function rewriteBy(
  member: string,
  rewrites: fc.Arbitrary<(valid: string) => JsonValue>,
): fc.Arbitrary<Mutation> {
  return rewrites.map((change) => (object: JsonObject) => ({
    ...object,
    [member]: change(textAt(object, member)),
  }));
}

/** Leaves a member out. */
export function drop(member: string): fc.Arbitrary<Mutation> {
  return fc.constant((object: JsonObject) => without(object, member));
}

/** Changes a member that is an object; `plain` is put there where the request has none. */
export function inMember(
  member: string,
  plain: JsonObject,
  edit: fc.Arbitrary<Mutation>,
): fc.Arbitrary<Mutation> {
  return edit.map((change) => (object: JsonObject) => {
    const held = object[member];
    return { ...object, [member]: change(isJsonObject(held) ? held : plain) };
  });
}

/** Applies the edit to one element of a list, at `from` or later. */
export function inElement(list: string, edit: fc.Arbitrary<Mutation>, from = 0): fc.Arbitrary<Mutation> {
  return fc.tuple(fc.nat({ max: 11 }), edit).map(([place, change]) => (body: JsonObject) => {
    const elements = objectsAt(body, list);
    const chosen = from + (place % Math.max(1, elements.length - from));
    return { ...body, [list]: elements.map((element, at) => (at === chosen ? change(element) : element)) };
  });
}

/** Applies the edit to the first or last element of a list. */
export function atEnd(
  end: 'first' | 'last',
  list: string,
  edit: fc.Arbitrary<Mutation>,
): fc.Arbitrary<Mutation> {
  return edit.map((change) => (body: JsonObject) => {
    const elements = objectsAt(body, list);
    const chosen = end === 'first' ? 0 : elements.length - 1;
    return { ...body, [list]: elements.map((element, at) => (at === chosen ? change(element) : element)) };
  });
}

/** Applies the edit to every element of a list. */
export function inEvery(list: string, edit: fc.Arbitrary<Mutation>): fc.Arbitrary<Mutation> {
  return edit.map((change) => (body: JsonObject) => ({ ...body, [list]: objectsAt(body, list).map(change) }));
}

/** One mutation after the other. */
export function inTurn(
  first: fc.Arbitrary<Mutation>,
  second: fc.Arbitrary<Mutation>,
): fc.Arbitrary<Mutation> {
  return fc.tuple(first, second).map(
    ([change, after]) =>
      (object: JsonObject) =>
        after(change(object)),
  );
}
