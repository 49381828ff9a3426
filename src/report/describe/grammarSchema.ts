import type { Asked, Form, FormKind, Member, Table } from '../../spec/grammar/form.ts';
import { described, enumOf, listOf, object, open, orNull, ref, text, type Schema } from './schema.ts';

/** Tables with a schema of their own. */
export type Named = ReadonlyMap<Table, string>;
/** What is said of members in words. */
export type Prose = Readonly<Record<string, string>>;

/** The JSON Schema of the objects of a table, by the forms of its members and by their shapes. */
export function schemaOfTable(table: Table, named: Named, prose: Prose = {}): Schema {
  const members = Object.entries(table);
  const having = (kind: FormKind) => members.filter(([, member]) => kindOf(member, undefined) === kind);
  const required = having('fault').map(([name]) => name);
  const all = members.map(([name, member]) => [name, withProse(schemaOf(member, named), prose[name])]);
  return {
    ...object(Object.fromEntries(all) as Record<string, Schema>, required),
    ...perhapsRequired(having('lacking')),
  };
}

/** The query parameters of a table. */
export function parametersOf(table: Table, prose: Prose): readonly Schema[] {
  return Object.entries(table).map(([name, member]) => ({
    name,
    in: 'query',
    required: kindOf(member, undefined) === 'fault',
    schema: withProse(schemaOf(member, new Map()), prose[name]),
  }));
}

/** Members that are required by one reading, and counted as missing information by the other. */
function perhapsRequired(members: readonly (readonly [string, Member])[]): Schema {
  const point = members[0]?.[1].shape?.point;
  if (point === undefined) return {};
  const filled = { type: 'string', minLength: 1 };
  const names = members.map(([name]) => name);
  const all = names.join(' and ');
  return open(
    point,
    described(`Required: ${all}.`, object(Object.fromEntries(names.map((name) => [name, filled])), names)),
    described(`Recorded as missing information if there is none: ${all}.`, {}),
  );
}

function schemaOf(member: Member, named: Named): Schema {
  const { inside, each, shape = {} } = member;
  const isNullable = member.forms.length > 0 && ['free', 'lacking'].includes(kindOf(member, null) ?? 'free');
  const nullable = (schema: Schema) => (isNullable ? orNull(schema) : schema);
  if (each) return nullable(listOf(referred(each, named), kindOf(member, []) === 'fault' ? 1 : 0));
  if (inside) return nullable(referred(inside, named));
  if (shape.words) return wordsOf(member, isNullable);
  // What another type means is open, and no reading refuses it for certain.
  if (!member.shape && kindOf(member, 7) === 'open') return {};
  const types = shape.types ?? (isNullable ? ['string', 'null'] : ['string']);
  return ofTypes(member, types.length === 1 ? types[0] : types);
}

function referred(table: Table, named: Named): Schema {
  const name = named.get(table);
  return name === undefined ? schemaOfTable(table, named) : ref(name);
}

function wordsOf(member: Member, isNullable: boolean): Schema {
  const { words = [], perhaps, point } = member.shape ?? {};
  const known = enumOf(...words, ...(isNullable && point === undefined ? [null] : []));
  if (point !== undefined) return open(point, known, text);
  return perhaps ? { anyOf: [known, open(perhaps.point, enumOf(...perhaps.words))] } : known;
}

function ofTypes(member: Member, type: unknown): Schema {
  const { texts = [], format, longest, point } = member.shape ?? {};
  const limits = {
    ...(texts.length === 0 && kindOf(member, '') === 'fault' ? { minLength: 1 } : {}),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(format === undefined ? {} : { format }),
  };
  const ways = (texts.length === 0 ? [{}] : texts.map(patternOf)).map((way) => ({ type, ...limits, ...way }));
  const [only = {}] = ways;
  if (point !== undefined) return open(point, ...ways);
  return ways.length > 1 ? { anyOf: ways } : only;
}

/** JSON Schema has no flag for the letter case. */
function patternOf({ source, ignoreCase }: RegExp): Schema {
  const bare = source.replaceAll('\\/', '/');
  if (!ignoreCase) return { pattern: bare };
  const spelled = bare.replace(/\\.|\[[^\]]*\]|[a-z]/gi, (token) =>
    token.length > 1 ? token : `[${token.toUpperCase()}${token.toLowerCase()}]`,
  );
  return { pattern: spelled };
}

function withProse(schema: Schema, prose: string | undefined): Schema {
  return prose === undefined ? schema : described(prose, schema);
}

const asked: Asked = { operation: 'wci.subscribe', carrier: 'json' };

/** How a value is read; null if no form speaks of it. */
function kindOf({ forms }: Member, value: unknown): FormKind | null {
  return forms.find(({ fits }: Form) => fits(value, asked))?.kind ?? null;
}
