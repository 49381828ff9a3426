import { z } from 'zod';
import { annotate, publishedSchema } from './annotations.ts';
import {
  isGroup,
  schemaOf,
  type Form,
  type Group,
  type ValuePlace,
  type PlacedRow,
  type Row,
  type Table,
} from './row.ts';
import { fromVariable } from './secretForms.ts';
import { settingsTable } from './table.ts';

/** The schema of the config file, derived from the table: strict, every field optional. */
export function configSchema(place: ValuePlace): z.ZodType {
  const $schema = annotate(z.string(), { description: 'JSON Schema of this file, for editors.' }).optional();
  return z.strictObject({ $schema, ...fieldsOf(settingsTable, place) });
}

function fieldsOf(table: Table, place: ValuePlace): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, entry]) => {
      const field = isGroup(entry) ? groupField(name, entry, place) : rowField(name, entry, place);
      return field === null ? [] : [[field.name, field.schema.optional()]];
    }),
  );
}

interface Field {
  readonly name: string;
  readonly schema: z.ZodType;
}

function groupField(name: string, { help, rows }: Group, place: ValuePlace): Field {
  const isSecret = Object.values(rows).every((entry) => !isGroup(entry) && entry.secret === true);
  const schema = z.strictObject(fieldsOf(rows, place));
  return {
    name,
    schema: annotate(schema, { description: sentence(help), ...(isSecret ? { isSecret } : {}) }),
  };
}

function rowField(name: string, row: Row, place: ValuePlace): Field | null {
  if (row.file === false) return null;
  const schema = row.secret ? secretField(row, place) : schemaOf(row, place);
  const examples = row.example === undefined ? {} : { examples: [row.example] };
  return {
    name: row.file ?? name,
    schema: annotate(schema, { description: describeRow(row), ...examples }),
  };
}

/** A secret is named by its variable; several by one variable, or by one each. */
function secretField(row: Row, place: ValuePlace): z.ZodType {
  const named = fromVariable(schemaOf(row, place) as z.ZodType<unknown, string>, place);
  if (!Array.isArray(row.default)) return named;
  const several = z
    .array(named)
    .min(1)
    .transform((lists) => lists.flat());
  return annotate(z.union([named, several]), { isSecret: true });
}

/** What a row does, and its default if that is described in words. */
export function describeRow({ help, usual }: Pick<Row, 'help' | 'usual'>): string {
  return sentence(usual === undefined ? help : `${help} (default: ${usual})`);
}

/** Turns a phrase into a sentence. */
export function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;
}

/** The published JSON Schema of the config file. */
export function renderConfigSchema(): string {
  const schema = annotate(configSchema({ folder: '', env: {} }), {
    description: 'Config file of Gatecheck.',
  });
  return `${JSON.stringify({ title: 'Gatecheck config', ...(publishedSchema(schema) as object) }, null, 2)}\n`;
}

/** The config as its author writes it. */
export type Config = { readonly $schema?: string } & FileOf<typeof settingsTable>;

type FileOf<T extends Table> = {
  [K in keyof T as NameInFile<K, T[K]>]?:
    (T[K] extends Group<infer R> ? FileOf<R> : InputOf<T[K]>) | undefined;
};

type NameInFile<K, R> = R extends { readonly file: infer N } ? (N extends string ? N : never) : K;

type InputOf<R> = R extends { readonly secret: true; readonly default: infer D }
  ? D extends readonly unknown[]
    ? string | readonly string[]
    : string
  : R extends { readonly form: infer F extends Form }
    ? Unchanged<z.input<F extends (place: ValuePlace) => infer S ? S : F>>
    : never;

/** A list is only read, so that one that must not be changed will do. */
type Unchanged<T> = T extends readonly (infer E)[] ? readonly E[] : T;

/** Gives a config file its type: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}

/** The value of a row in a config that was read; undefined if it is not set. */
export function fieldIn(config: unknown, { field }: Pick<PlacedRow, 'field'>): unknown {
  return field
    ?.split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      config,
    );
}
