import * as fc from 'fast-check';
import type { Form, Member, Table } from '../spec/grammar/form.ts';
import { objectsAt, type JsonObject } from '../spec/kit/json.ts';
import {
  always,
  atEnd,
  inElement,
  inEvery,
  inMember,
  inTurn,
  type Make,
  type Mutation,
} from '../spec/kit/mutation.ts';
import { companionOf } from '../spec/kit/companion.ts';

/** Which element of a list has the form: the only one, the second or the third. */
export const places = ['first', 'second', 'third'] as const;
export type PlaceName = (typeof places)[number];

/** A form of a member, wherever it stands in a request. */
export interface Spelling {
  readonly form: Form;
  /** Such as `passengers.passport.number`. */
  readonly member: string;
  /** The list of the request that holds it; null for what stands beside the lists. */
  readonly list: 'flights' | 'passengers' | null;
  /** The change of a request that puts it there. */
  readonly at: (place: PlaceName) => fc.Arbitrary<Mutation>;
  /** The change of the element of the list, or of the request. */
  readonly within: fc.Arbitrary<Mutation>;
}

type Put = (edit: Make, only?: Form['only']) => Make;

/** Every form of a table and of the tables in it. */
export function spellingsOf(table: Table): readonly Spelling[] {
  return Object.entries(table).flatMap(([name, member]) =>
    name === 'flights' || name === 'passengers'
      ? [...ofMember(name, member, { list: null }), ...ofList(name, member)]
      : [...ofMember(name, member, { list: null }), ...ofInside(name, member, { list: null })],
  );
}

interface Where {
  readonly list: Spelling['list'];
  readonly put?: Put;
  readonly only?: Form['only'];
}

function ofList(list: 'flights' | 'passengers', { each = {} }: Member): readonly Spelling[] {
  return Object.entries(each).flatMap(([name, member]) => {
    const path = `${list}.${name}`;
    return [...ofMember(path, member, { list }), ...ofInside(path, member, { list })];
  });
}

function ofMember(path: string, { forms, also = [], whole = [] }: Member, where: Where): readonly Spelling[] {
  return [...forms, ...also, ...whole].map((form) => spelling(path, form, where));
}

/** The forms of the object or of the list in a member. */
function ofInside(
  path: string,
  { inside = {}, each = {}, plain }: Member,
  where: Where,
): readonly Spelling[] {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const held = Array.isArray(plain) || plain === undefined ? {} : (plain as JsonObject);
  const inObject: Put = (edit) => inMember(name, held, edit);
  const inArray: Put = (edit) => inTurn(always(filled(name, plain)), inElement(name, edit));
  return [
    ...Object.entries(inside).flatMap(([inner, member]) =>
      ofMember(`${path}.${inner}`, member, { ...where, put: inObject }),
    ),
    ...Object.entries(each).flatMap(([inner, member]) =>
      ofMember(`${path}.${inner}`, member, { ...where, put: inArray }),
    ),
  ];
}

function filled(list: string, plain: Member['plain']): Mutation {
  const elements = Array.isArray(plain) ? (plain as readonly JsonObject[]) : [{}];
  return (object) => (objectsAt(object, list).length > 0 ? object : { ...object, [list]: elements });
}

function spelling(member: string, form: Form, { list, put = (edit) => edit }: Where): Spelling {
  const within = put(form.make);
  return {
    ...{ form, member, list },
    within: within(fc),
    at: (place) => (list === null ? within(fc) : placed(list, within, place, form.only)),
  };
}

function placed(
  list: 'flights' | 'passengers',
  edit: Make,
  place: PlaceName,
  only: Form['only'],
): fc.Arbitrary<Mutation> {
  if (only === 'every') return inEvery(list, edit)(fc);
  if (only !== undefined) return atEnd(only, list, edit)(fc);
  const index = places.indexOf(place);
  const change = index === 0 ? atEnd('first', list, edit) : inElement(list, edit, index);
  const most = always(list === 'passengers' ? withPassengers(index + 1) : (body) => body);
  return inTurn(most, change)(fc);
}

/** The body with so many passengers at least. */
function withPassengers(count: number): Mutation {
  return (body) => {
    const passengers = [...objectsAt(body, 'passengers')];
    for (
      let last = passengers.at(-1);
      last !== undefined && passengers.length < count;
      last = passengers.at(-1)
    )
      passengers.push(companionOf(last));
    return { ...body, passengers };
  };
}
