import { isItems, isMembers, isSame, type Json } from '../json.ts';
import type { Spot } from '../spots.ts';
import type { ValueBook } from '../values.ts';

/** What an operator may look at besides the value itself. */
interface Surroundings {
  readonly spot: Spot;
  /** Name of the place over all messages, and what this one is about. */
  readonly place: string;
  readonly subject: string;
  readonly values: ValueBook;
}

/** One way to change a value; undefined leaves it out, and the value itself changes nothing. */
export interface ValueOperator {
  readonly id: string;
  readonly means: string;
  readonly edit: (value: Json, surroundings: Surroundings) => Json | undefined;
}

/** Ways to change one member of one kind of message. */
export const valueOperators: readonly ValueOperator[] = [
  { id: 'omit', means: 'is left out', edit: () => undefined },
  { id: 'null', means: 'is null', edit: () => null },
  { id: 'type', means: 'has another type', edit: otherType },
  { id: 'empty', means: 'is empty', edit: emptied },
  {
    id: 'another',
    means: 'is the value of another record',
    edit: (value, { place, subject, values }) => values.ofAnother(place, subject) ?? value,
  },
  {
    id: 'stale',
    means: 'is the value of an earlier answer',
    edit: (value, { place, subject, values }) => values.before(place, subject, value) ?? value,
  },
  { id: 'neighbour', means: 'is the value of its neighbour', edit: ofNeighbour },
  {
    id: 'one-off',
    means: 'is one too large',
    edit: (value) => (typeof value === 'number' ? value + 1 : value),
  },
  { id: 'hour', means: 'is an hour late', edit: anHourLater },
  {
    id: 'fewer',
    means: 'has its last item too few',
    edit: (value) => (isItems(value) ? value.slice(0, -1) : value),
  },
  {
    id: 'twice',
    means: 'has its last item twice',
    edit: (value) => (isItems(value) ? [...value, ...value.slice(-1)] : value),
  },
  {
    id: 'altered',
    means: 'has one character changed',
    edit: (value) => (typeof value === 'string' ? withOtherEnd(value) : value),
  },
  {
    id: 'case',
    means: 'has its letters in the other case',
    edit: (value) => (typeof value === 'string' ? inOtherCase(value) : value),
  },
  {
    id: 'padded',
    means: 'has a blank at its end',
    edit: (value) => (typeof value === 'string' ? `${value} ` : value),
  },
  { id: 'negated', means: 'is the opposite', edit: (value) => (typeof value === 'boolean' ? !value : value) },
];

function otherType(value: Json): Json {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? Number(value) : [value];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isItems(value)) return Object.fromEntries(value.map((item, index) => [String(index), item]));
  return value === null ? value : JSON.stringify(value);
}

function emptied(value: Json): Json {
  if (typeof value === 'string') return '';
  if (typeof value === 'number') return 0;
  if (isItems(value)) return [];
  return isMembers(value) ? {} : value;
}

function ofNeighbour(value: Json, { spot }: Surroundings): Json {
  const kind = kindOf(value);
  const neighbours = Object.values(spot.around[0] ?? {});
  return neighbours.find((one) => kindOf(one) === kind && !isSame(one, value)) ?? value;
}

/** Instants and local times alike, in the spelling that they have. */
function anHourLater(value: Json): Json {
  const [, date, separator, time, rest] =
    (typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(.*)$/.exec(value) : null) ?? [];
  if (date === undefined || time === undefined) return value;
  const later = new Date(Date.parse(`${date}T${time}Z`) + 3_600_000).toISOString();
  return `${later.slice(0, 10)}${separator ?? ''}${later.slice(11, 19)}${rest ?? ''}`;
}

function withOtherEnd(text: string): string {
  const last = text.at(-1) ?? '';
  return `${text.slice(0, -1)}${last === 'x' ? 'y' : 'x'}`;
}

function inOtherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

export type Kind = 'null' | 'boolean' | 'number' | 'text' | 'time' | 'items' | 'members';

export function kindOf(value: Json): Kind {
  if (value === null) return 'null';
  if (isItems(value)) return 'items';
  if (isMembers(value)) return 'members';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/.test(value) ? 'time' : 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}

/** Whether an operator can change a value of this kind at all. */
export function applies(operator: string, kinds: ReadonlySet<Kind>): boolean {
  const suited = suitedTo[operator];
  return suited === undefined || suited.some((kind) => kinds.has(kind));
}

const suitedTo: Readonly<Record<string, readonly Kind[]>> = {
  null: ['boolean', 'number', 'text', 'time', 'items', 'members'],
  type: ['boolean', 'number', 'text', 'time', 'items', 'members'],
  empty: ['number', 'text', 'time', 'items', 'members'],
  'one-off': ['number'],
  hour: ['time'],
  fewer: ['items'],
  twice: ['items'],
  altered: ['text', 'time'],
  case: ['text'],
  padded: ['text', 'time'],
  negated: ['boolean'],
};
