import { type JsonObject, generate, without } from '../checks.ts';

/** What a passenger may look like by a sentence of the field tables; the grammar has its forms. */
export interface Shape {
  readonly rule: string;
  readonly name: string;
}

const named = (rule: string, name: string): Shape => ({ rule, name });

/** Names that a server which takes plain letters only refuses: no alphabet is stated, so that it is warned about. */
export const unusuallyNamed = named('WCI-SUB-077', 'names with an apostrophe, an accent and a full stop');

/** What the field tables allow, one sentence after the other. */
export const shapes: readonly Shape[] = [
  named('WCI-SUB-040', 'names and an email only'),
  named('WCI-SUB-041', 'null in every optional field'),
  named('WCI-SUB-046', 'a passport that is empty, and one of nulls'),
  named('WCI-SUB-049', 'a document of each type'),
  named('WCI-SUB-050', 'documents of a type alone, and with nulls'),
  named('WCI-SUB-051', 'no documents: an empty list'),
  named('WCI-SUB-053', 'every row preference'),
  named('WCI-SUB-054', 'every column preference'),
  named('WCI-SUB-057', 'a seat preference that is empty, or half'),
  named('WCI-SUB-066', 'a passport and a document that name existing files'),
  named('WCI-SUB-075', 'born, and a passport issued and expiring, on leap days'),
  named('WCI-SUB-092', 'born before 1970, with a passport beyond 2038'),
  named('WCI-SUB-076', 'names of one letter'),
  named('WCI-SUB-093', 'names that are words of programs'),
  unusuallyNamed,
];

/** Those that a sparing update leaves to the subscribe that carries them; not so many that a limit of passengers could stand in the way. */
const sampledRules = ['WCI-SUB-040', 'WCI-SUB-041', 'WCI-SUB-046', 'WCI-SUB-049', 'WCI-SUB-050'];
export const sampled = shapes.filter(({ rule }) => sampledRules.includes(rule));
/** What the same passengers carry beside it. */
const besideRules = [
  'WCI-SUB-051',
  'WCI-SUB-053',
  'WCI-SUB-054',
  'WCI-SUB-057',
  'WCI-SUB-076',
  'WCI-SUB-092',
  'WCI-SUB-093',
];
/** The rules that the passengers of one subscribe show together. */
export const carriedRules = [...sampledRules, ...besideRules];
/** The shapes that they carry. */
export const carried = shapes.filter(({ rule }) => carriedRules.includes(rule));

/** Few passengers in all these shapes, each with a name of its own. */
export function inShapes(complete: JsonObject, wanted: readonly Shape[]): readonly JsonObject[] {
  const rules = wanted.map(({ rule }) => rule);
  return generate.passengersInShape(complete, rules).map((one, index) => {
    const isNamed = one.first_name !== complete.first_name || one.last_name !== complete.last_name;
    const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(index);
    return index === 0 || isNamed ? one : { ...one, first_name: `Testa-${letter}` };
  });
}

/** Few passengers that carry what a subscribe shows at once; none has an email. */
export function carriedTogether(complete: JsonObject): readonly JsonObject[] {
  return inShapes(complete, carried).map((one) => without(one, 'email'));
}
