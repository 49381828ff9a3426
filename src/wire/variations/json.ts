import { isItems, isMembers, readJsonText, type Json, type JsonObject, type Wire } from '../json.ts';
import { onJson, onJsonTexts } from '../asked.ts';
import { escaped, otherNumber, plainSpelling, shuffled, spell, type Spelling } from './jsonText.ts';
import type { Making, Variation } from './variation.ts';

/** JSON that is written otherwise, or that holds more. */
export const jsonVariations: readonly Variation[] = [
  {
    id: 'member-order',
    family: 'json',
    law: 'An object is an unordered set of members (RFC 8259, 1).',
    wire: ({ random }) => spelled({ order: (names) => shuffled(names, random) }),
  },
  {
    id: 'blanks',
    family: 'json',
    law: 'Blanks, tabs and line ends may stand before and after every token (RFC 8259, 2).',
    wire: ({ random }) => spelled({ blank: () => blanks[Math.floor(random() * blanks.length)] ?? '' }),
  },
  {
    id: 'escapes',
    family: 'json',
    law: 'Every character may be escaped (RFC 8259, 7).',
    wire: ({ random }) => spelled({ text: (text) => escaped(text, random) }),
  },
  {
    id: 'line-end',
    family: 'json',
    law: 'Blanks may stand around the whole value (RFC 8259, 2).',
    wire: () => onJsonTexts((text) => `\n ${text}\r\n`),
  },
  {
    id: 'number-forms',
    family: 'json',
    law: '1, 1.0 and 1e0 are one number (RFC 8259, 6).',
    wire: ({ random }) => spelled({ number: (number) => otherNumber(number, random) }),
  },
  {
    id: 'further-members',
    family: 'json',
    law: 'The documents name the members that an object has, and close no object to others.',
    wire: () => withMembers(() => further),
  },
  {
    id: 'changing-members',
    family: 'json',
    law: 'What a further member holds may be other at each answer: a time, a node, a duration.',
    wire: (making) => withMembers(() => changing(making)),
  },
];

const blanks = ['', ' ', '\t', '\n', '\r\n', '\n    '];

function spelled(spelling: Partial<Spelling>): Wire {
  return onJsonTexts((text) => spell(readJsonText(text), { ...plainSpelling, ...spelling }));
}

/** Names that neither document uses, and values of every type. */
const further: readonly (readonly [string, Json])[] = [
  ['x_trace', 'f00d-4711'],
  ['x_revision', 7],
  ['x_flags', [true, null, { x_inner: [] }]],
  ['_links', { self: { href: 'https://partner.example.com/self' } }],
  ['x_experimental', false],
  ['x_none', null],
  ['größe', 'ä'],
];

function withMembers(added: (members: JsonObject) => readonly (readonly [string, Json])[]): Wire {
  return onJson((value) =>
    deepest(value, (members) => Object.fromEntries([...Object.entries(members), ...added(members)])),
  );
}

/** Members that are other at each answer, as those about the answer itself are. */
function changing({ random }: Making): readonly (readonly [string, Json])[] {
  return [
    ['x_generated_at', new Date(Math.floor(random() * 2e12)).toISOString()],
    ['x_node', `node-${Math.floor(random() * 4)}`],
    ['x_took', { ms: Math.floor(random() * 1000) }],
  ];
}

/** Edits every object, inner ones first, so that what is added is not edited itself. */
function deepest(value: Json, edit: (members: JsonObject) => Json): Json {
  if (isItems(value)) return value.map((item) => deepest(item, edit));
  if (!isMembers(value)) return value;
  return edit(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deepest(inner, edit)])));
}
