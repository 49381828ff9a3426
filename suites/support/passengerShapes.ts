import { type JsonObject, generate, isJsonObject, without } from '../checks.ts';

/** Something that a passenger may look like, made from a complete one. */
export interface Shape {
  readonly rules: readonly string[];
  readonly name: string;
  readonly passengers: (complete: JsonObject) => readonly JsonObject[];
}

const unusualName: JsonObject = { first_name: 'Zoë-Anaïs Jr.', last_name: "O'Gatecheck" };

const optional = [
  ...['email', 'country_code', 'phone', 'date_of_birth', 'nationality', 'country_of_residence'],
  ...['passport', 'documents', 'seat_preference'],
];
const passportFields = [
  'number',
  'date_of_issue',
  'expiry_date',
  'place_of_issue',
  'nationality',
  'document_url',
];
const documentFields = ['document_number', 'issuing_country', 'expiry_date', 'document_url'];
const nulls = (fields: readonly string[]): JsonObject =>
  Object.fromEntries(fields.map((name) => [name, null]));
const seats = (member: string, values: readonly string[]) => (complete: JsonObject) =>
  [...values, null].map((value, index) => ({
    ...named(complete, index),
    seat_preference: { row_preference: null, column_preference: null, [member]: value },
  }));

/** Names that a server which takes plain letters only refuses: no alphabet is stated, so that it is warned about. */
export const unusuallyNamed: Shape = {
  rules: ['WCI-SUB-077'],
  name: 'names with an apostrophe, an accent and a full stop',
  passengers: (one) => [{ ...one, ...unusualName }],
};

/** What the field tables allow, shape by shape. */
export const shapes: readonly Shape[] = [
  { rules: ['WCI-SUB-040'], name: 'names only', passengers: (one) => [without(one, ...optional)] },
  {
    rules: ['WCI-SUB-041'],
    name: 'null in every optional field',
    passengers: (one) => [{ ...one, ...nulls(optional) }],
  },
  {
    rules: ['WCI-SUB-046'],
    name: 'a passport that is empty, and one of nulls',
    passengers: (one) => [
      { ...one, passport: {} },
      { ...generate.companionOf(one), passport: nulls(passportFields) },
    ],
  },
  {
    rules: ['WCI-SUB-049'],
    name: 'a document of each type',
    passengers: (one) => [
      { ...one, documents: generate.documentTypes.map((type, at) => ({ type, document_number: `GC${at}` })) },
    ],
  },
  {
    rules: ['WCI-SUB-050'],
    name: 'documents of a type alone, and with nulls',
    passengers: (one) => [
      { ...one, documents: [{ type: 'VISA' }, { type: 'IQAMA', ...nulls(documentFields) }] },
    ],
  },
  {
    rules: ['WCI-SUB-051'],
    name: 'no documents: null, and an empty list',
    passengers: (one) => [
      { ...one, documents: null },
      { ...generate.companionOf(one), documents: [] },
    ],
  },
  {
    rules: ['WCI-SUB-053'],
    name: 'every row preference',
    passengers: seats('row_preference', generate.rowPreferences),
  },
  {
    rules: ['WCI-SUB-054'],
    name: 'every column preference',
    passengers: seats('column_preference', generate.columnPreferences),
  },
  {
    rules: ['WCI-SUB-057'],
    name: 'a seat preference that is null, empty, or half',
    passengers: (one) =>
      [null, {}, { row_preference: 'front' }, { column_preference: 'aisle' }].map(
        (seat_preference, index) => ({
          ...named(one, index),
          seat_preference,
        }),
      ),
  },
  {
    rules: ['WCI-SUB-066'],
    name: 'a passport and a document that name existing files',
    passengers: (one) => [{ ...one, ...withFiles(one) }],
  },
  {
    rules: ['WCI-SUB-075'],
    name: 'born, and a passport issued and expiring, on leap days',
    passengers: (one) => [{ ...one, ...onLeapDays(one) }],
  },
  { rules: ['WCI-SUB-076'], name: 'names of one letter', passengers: oneLettered },
  unusuallyNamed,
];
/** Those that a sparing update leaves to the subscribe that carries them; not so many that a limit of passengers could stand in the way. */
const sampledRules = ['WCI-SUB-040', 'WCI-SUB-041', 'WCI-SUB-046', 'WCI-SUB-049', 'WCI-SUB-050'];
export const sampled = shapes.filter((shape) => shape.rules.some((rule) => sampledRules.includes(rule)));
/** What the same passengers carry beside it. */
const besideRules = ['WCI-SUB-051', 'WCI-SUB-053', 'WCI-SUB-054', 'WCI-SUB-057', 'WCI-SUB-076'];
/** The rules that the passengers of one subscribe show together. */
export const carriedRules = [...sampledRules, ...besideRules];
/** The shapes that they carry. */
export const carried = shapes.filter((shape) => shape.rules.some((rule) => carriedRules.includes(rule)));

/** Few passengers that carry all shapes but those that the subscribe samples. */
export function manyShaped(complete: JsonObject): readonly JsonObject[] {
  const both = [...generate.rowPreferences, null].map((row_preference, at) => ({
    row_preference,
    column_preference: generate.columnPreferences[at] ?? null,
  }));
  const seats = [...both, null, {}, { row_preference: 'front' }, { column_preference: 'aisle' }];
  const papers = [{ documents: null }, { documents: [] }, withFiles(complete), onLeapDays(complete)];
  const others = [...papers, { first_name: 'T' }, { last_name: 'G' }, unusualName];
  return seats.map((seat_preference, at) => ({ ...named(complete, at), ...others[at], seat_preference }));
}

/** Few passengers in all shapes; a seat preference stands beside a shape that is about something else. */
export function carriedTogether(complete: JsonObject): readonly JsonObject[] {
  const [middle, rear] = [
    { row_preference: 'middle', column_preference: 'middle' },
    { row_preference: generate.rowPreferences.at(-1) ?? null, column_preference: 'window' },
  ];
  const beside: readonly JsonObject[] = [
    {},
    { last_name: 'G' },
    { seat_preference: middle, documents: null },
    { seat_preference: {}, documents: [] },
    { seat_preference: { row_preference: 'front' } },
    { seat_preference: { column_preference: 'aisle' } },
  ];
  const shaped = sampled.flatMap((shape) => shape.passengers(complete));
  return [
    ...shaped.map((one, at) => ({ ...one, ...beside[at] })),
    { ...complete, seat_preference: rear },
  ].map((one, at) => named(without(one, 'email'), at));
}

function oneLettered(complete: JsonObject): readonly JsonObject[] {
  return [
    { ...complete, first_name: 'T' },
    { ...generate.companionOf(complete), last_name: 'G' },
  ];
}

function withFiles(complete: JsonObject): JsonObject {
  const document = {
    type: 'VISA',
    document_number: 'GC1',
    document_url: 'https://example.com/gatecheck/v.pdf',
  };
  return {
    passport: { ...passportOf(complete), document_url: 'https://example.com/gatecheck/p.pdf' },
    documents: [document],
  };
}

function onLeapDays(complete: JsonObject): JsonObject {
  const passport = { date_of_issue: '2024-02-29', expiry_date: '2032-02-29' };
  return { date_of_birth: '2000-02-29', passport: { ...passportOf(complete), ...passport } };
}

function named(passenger: JsonObject, index: number): JsonObject {
  return index === 0
    ? passenger
    : { ...passenger, first_name: `Testa-${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(index)}` };
}

function passportOf({ passport }: JsonObject): JsonObject {
  return isJsonObject(passport) ? passport : {};
}
