import * as fc from 'fast-check';
import type { Form, Member, Refusal, Table } from '../../spec/grammar/form.ts';
import { objectsAt, type JsonObject } from '../../spec/kit/json.ts';
import {
  always,
  atEnd,
  inElement,
  inEvery,
  inMember,
  inTurn,
  type Make,
  type Mutation,
} from '../../spec/kit/mutation.ts';

/** A way to break exactly one rule of a valid request, certain to be a violation under every reading of the documents. */
export interface Corruption<T = JsonObject> {
  /** Requirement that the result violates. */
  readonly rule: string;
  readonly name: string;
  readonly refusal: Refusal;
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
  refusal: Refusal = 'payload',
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

/** Puts a change of an object into the request that holds it; `only` restricts it to elements in which it breaks nothing else. */
type Put = (edit: Make, only?: Form['only']) => Make;

/** A corruption for each form of a table, and of the tables in it, that a service refuses. */
export function corruptionsOf(
  table: Table,
  isRefused = isFault,
  put: Put = (edit) => edit,
): readonly Corruption[] {
  return Object.entries(table).flatMap(([name, { forms, whole = [], inside, each, plain }]) => [
    ...(inside ? corruptionsOf(inside, isRefused, (edit) => put(inMember(name, objectOf(plain), edit))) : []),
    ...(each ? corruptionsOf(each, isRefused, (edit, only) => put(inList(name, plain, edit, only))) : []),
    ...[...forms, ...whole].filter(isRefused).map((form) => corruptionOf(form, put)),
  ]);
}

/** What no reading accepts. */
export function isFault({ kind, rule }: Form): boolean {
  return kind === 'fault' && rule !== null;
}

/** And what the catalogue has refused as the likelier reading. */
export function isFaultOrDoubtful(form: Form): boolean {
  return isFault(form) || (form.kind === 'open' && form.rule !== null);
}

/** The corruption that a form of a member makes. */
export function corruptionOf(
  { name, rule, refusal, make, only, applicable }: Form,
  put: Put = (edit) => edit,
): Corruption {
  return { ...row(rule ?? '', name, put(make, only)(fc), refusal), ...(applicable ? { applicable } : {}) };
}

function objectOf(plain: Member['plain']): JsonObject {
  return Array.isArray(plain) || plain === undefined ? {} : (plain as JsonObject);
}

function inList(list: string, plain: Member['plain'], edit: Make, only: Form['only']): Make {
  if (only === 'every') return inEvery(list, edit);
  if (only !== undefined) return atEnd(only, list, edit);
  if (!Array.isArray(plain)) return inElement(list, edit);
  const filled = (object: JsonObject): JsonObject =>
    objectsAt(object, list).length > 0 ? object : { ...object, [list]: plain as readonly JsonObject[] };
  return inTurn(always(filled), inElement(list, edit));
}
