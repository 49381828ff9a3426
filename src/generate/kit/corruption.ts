import * as fc from 'fast-check';
import { objectsAt, textAt, without, type JsonObject, type JsonValue } from './json.ts';

/**
 * How a conforming service turns a corrupted request down: `validation` is 400 VALIDATION_ERROR and nothing else; `any`
 * may also be 422 REJECTED, or 200 with message REJECTED, since the document leaves open which step finds the fault.
 */
export type ExpectedRefusal = 'validation' | 'any';

export type Mutation<T = JsonObject> = (valid: T) => T;

/** A way to break exactly one rule of a valid request, certain to be a violation under every reading of the documents. */
export interface Corruption<T = JsonObject> {
  /** Requirement that the result violates. */
  readonly rule: string;
  readonly name: string;
  readonly refusal: ExpectedRefusal;
  /** Whether the request has the place that is corrupted, such as a second leg. */
  readonly applicable: (valid: T) => boolean;
  /** The change, at a random place if there are several. */
  readonly apply: fc.Arbitrary<Mutation<T>>;
}

/** Requests with this corruption; valid requests without a place for it are skipped. */
export function corrupted<T>(corruption: Corruption<T>, valid: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.tuple(suitable(corruption, valid), corruption.apply).map(([request, mutate]) => mutate(request));
}

/** The corruptions that apply to some of the valid requests: the target may not accept a second leg. */
export function possible<T>(
  corruptions: readonly Corruption<T>[],
  valid: fc.Arbitrary<T>,
): readonly Corruption<T>[] {
  const requests = fc.sample(valid, { seed: 1, numRuns: 50 });
  return corruptions.filter(({ applicable }) => requests.some(applicable));
}

/** A row whose corruption applies to every valid request. */
export function row<T = JsonObject>(
  rule: string,
  name: string,
  apply: fc.Arbitrary<Mutation<T>>,
  refusal: ExpectedRefusal = 'validation',
): Corruption<T> {
  return { rule, name, refusal, apply, applicable: () => true };
}

function suitable<T>({ name, applicable }: Corruption<T>, valid: fc.Arbitrary<T>): fc.Arbitrary<T> {
  let misses = 0;
  return valid.filter((request) => {
    misses = applicable(request) ? 0 : misses + 1;
    // A filter that accepts nothing would search for ever.
    if (misses > 1000) throw new Error(`Expected requests in which ${name} has a place, found none in 1000.`);
    return misses === 0;
  });
}

/** Sets a member to one of the values. */
export function setTo(member: string, ...values: readonly JsonValue[]): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...values).map((value) => (object: JsonObject) => ({ ...object, [member]: value }));
}

/** Sets a member to a text derived from its valid one. */
export function rewrite(
  member: string,
  ...rewrites: readonly ((valid: string) => string)[]
): fc.Arbitrary<Mutation> {
  return fc.constantFrom(...rewrites).map((change) => (object: JsonObject) => ({
    ...object,
    [member]: change(textAt(object, member)),
  }));
}

/** Leaves a member out. */
export function drop(member: string): fc.Arbitrary<Mutation> {
  return fc.constant((object: JsonObject) => without(object, member));
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
