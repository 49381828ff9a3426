import * as fc from 'fast-check';
import type { Form, Member, Table } from '../../spec/grammar/form.ts';
import { passengerTable } from '../../spec/grammar/passenger.ts';
import { isJsonObject, objectsAt, type JsonObject, type JsonValue } from '../../spec/kit/json.ts';

/** A form that some of the rules allow, and the members that lead to it; `[]` is any element of a list. */
interface Item {
  readonly form: Form;
  readonly at: readonly string[];
  /** What the object of the form is made from where there is none. */
  readonly plain: JsonObject;
}

interface Shaped {
  readonly passenger: JsonObject;
  /** Paths of what was shaped already. */
  readonly taken: readonly string[];
}

const mostElements = 4;

/** Few passengers, made from a complete one, that have every form that these rules allow. */
export function passengersInShape(complete: JsonObject, rules: readonly string[]): readonly JsonObject[] {
  const shaped: Shaped[] = [];
  for (const item of itemsOf(passengerTable, rules)) {
    const index = shaped.findIndex((one) => placeFor(item, one.taken) !== null);
    const found = shaped[index] ?? { passenger: complete, taken: [] };
    shaped[index < 0 ? shaped.length : index] = withForm(complete, found, item);
  }
  return shaped.map(({ passenger }) => passenger);
}

function itemsOf(
  table: Table,
  rules: readonly string[],
  at: readonly string[] = [],
  plain: Member['plain'] = {},
): readonly Item[] {
  const [object = {}] = [plain].flat() as readonly JsonObject[];
  const isAllowed = ({ kind, rule }: Form) => kind === 'free' && rule !== null && rules.includes(rule);
  return Object.entries(table).flatMap(
    ([name, { forms, also = [], inside = {}, each = {}, plain: held }]) => [
      ...[...forms, ...also].filter(isAllowed).map((form) => ({ form, at: [...at, name], plain: object })),
      ...itemsOf(inside, rules, [...at, name], held),
      ...itemsOf(each, rules, [...at, name, '[]'], held),
    ],
  );
}

/** Where the form stands beside what is taken: in the first element of a list that has room. */
function placeFor({ at }: Item, taken: readonly string[]): readonly string[] | null {
  const elements = at.includes('[]')
    ? Array.from({ length: mostElements }, (_, index) => String(index))
    : ['0'];
  const places = elements.map((index) => at.map((step) => (step === '[]' ? index : step)));
  const isFree = (place: string) =>
    taken.every((one) => !`${one}.`.startsWith(`${place}.`) && !`${place}.`.startsWith(`${one}.`));
  return places.find((place) => isFree(place.join('.'))) ?? null;
}

function withForm(complete: JsonObject, { passenger, taken }: Shaped, item: Item): Shaped {
  const place = placeFor(item, taken) ?? [];
  const [change] = fc.sample(item.form.make(fc), { seed: 0, numRuns: 1 });
  const edit = (holder: JsonObject) => change?.(holder) ?? holder;
  const isFirst = taken.every((one) => !one.startsWith(`${place[0] ?? ''}.`));
  const start = isFirst && item.at.includes('[]') ? { ...passenger, [place[0] ?? '']: [] } : passenger;
  const [plain = item.plain] = objectsAt(complete, place[0] ?? '');
  return {
    passenger: edited(start, place.slice(0, -1), plain, edit),
    taken: [...taken, place.join('.')],
  };
}

/** The object with a change of what stands at the path; `plain` stands where there is nothing. */
function edited(
  object: JsonObject,
  [name, ...rest]: readonly string[],
  plain: JsonObject,
  edit: (held: JsonObject) => JsonObject,
): JsonObject {
  if (name === undefined) return edit(object);
  const held = object[name];
  const inner = (value: JsonValue | undefined, path: readonly string[]) =>
    edited(isJsonObject(value) ? value : plain, path, plain, edit);
  if (!Array.isArray(held)) return { ...object, [name]: inner(held, rest) };
  const [index = '0', ...deeper] = rest;
  const list = held as readonly JsonValue[];
  const element = inner(list[Number(index)], deeper);
  return { ...object, [name]: [...list.slice(0, Number(index)), element, ...list.slice(Number(index) + 1)] };
}
