import type { z } from 'zod';
import type { Environment } from '../core/io.ts';

/** Where a value was written: a relative path counts from the folder, and `env:NAME` looks into the environment. */
export interface ValuePlace {
  readonly folder: string;
  readonly env: Environment;
}

/** How a value is written and read; some values need to know where they stand. */
export type Form<T = unknown, I = unknown> = z.ZodType<T, I> | ((place: ValuePlace) => z.ZodType<T, I>);

/** One setting. What it may be, its default, who may set it, and how it is explained stand here and nowhere else. */
export interface Row<F extends Form = Form, D = unknown> {
  readonly form: F;
  readonly default: D;
  /** What it does, in a phrase without a full stop. */
  readonly help: string;
  /** The command line's way to set it, as commander writes it: `--seed <n>`. */
  readonly flag?: `--${string}`;
  /** What the option stands for where no value follows it. */
  readonly bare?: string;
  /** The environment variable that sets it. */
  readonly variable?: `GATECHECK_${string}`;
  /** Its name in the config file where it is another one than here; false for a setting that no file may hold. */
  readonly file?: string | false;
  /** Its value is never shown; a file names the variable that holds it, as `env:NAME`. */
  readonly secret?: true;
  /** A value as a config file writes it. */
  readonly example?: unknown;
  /** Another one that shows more of what is possible. */
  readonly fullExample?: unknown;
  /** The default in words, where it does not speak for itself. */
  readonly usual?: string;
}

/** Settings that belong together, under one name in the config file. */
export interface Group<R extends Table = Table> {
  readonly help: string;
  readonly rows: R;
}

export type Table = Readonly<Record<string, Row | Group>>;

/** A row of a table; the function only makes TypeScript keep its exact type. */
export function row<const F extends Form, const D, const R extends Omit<Row<F, D>, 'form' | 'default'>>(
  given: R & { readonly form: F; readonly default: D },
): R & { readonly form: F; readonly default: D } {
  return given;
}

export function group<const R extends Table>(help: string, rows: R): Group<R> {
  return { help, rows };
}

/** What a table comes to once everything is read: every value, nested as its groups are. */
export type ValuesOf<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Group<infer R> ? ValuesOf<R> : ValueOf<T[K]>;
};

type ValueOf<R> = R extends { readonly form: infer F; readonly default: infer D }
  ? Frozen<OutputOf<F> | D>
  : never;
type OutputOf<F> = F extends (place: ValuePlace) => infer S ? z.output<S> : z.output<F>;

type Frozen<T> = T extends (...given: never[]) => unknown
  ? T
  : T extends readonly [unknown, ...unknown[]]
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T extends readonly (infer I)[]
      ? readonly Frozen<I>[]
      : T extends object
        ? { readonly [K in keyof T]: Frozen<T[K]> }
        : T;

/** A row with its place in the table. */
export interface PlacedRow extends Row {
  /** `budgets.maxRequests`: where the value stands among all values. */
  readonly path: string;
  /** Where it stands in the config file; null where no file may hold it. */
  readonly field: string | null;
}

/** All rows of a table in its order, those of groups included. */
export function rowsOf(table: Table, above = ''): readonly PlacedRow[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    if (isGroup(entry)) return rowsOf(entry.rows, `${above}${name}.`);
    return [
      { ...entry, path: above + name, field: entry.file === false ? null : above + (entry.file ?? name) },
    ];
  });
}

export function isGroup(entry: Row | Group): entry is Group {
  return 'rows' in entry;
}

/** The schema of a row at its place. */
export function schemaOf({ form }: Pick<Row, 'form'>, place: ValuePlace): z.ZodType {
  return typeof form === 'function' ? form(place) : form;
}

/** The values by their paths, and the defaults of the rest, nested as the table is. */
export function fillIn<T extends Table>(table: T, given: GivenValues): ValuesOf<T> {
  return fill(table, given, '') as ValuesOf<T>;
}

/** Values by the path of their row. */
export type GivenValues = Readonly<Record<string, unknown>>;

function fill(table: Table, given: GivenValues, above: string): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => {
      const path = `${above}${name}`;
      if (isGroup(entry)) return [name, fill(entry.rows, given, `${path}.`)];
      return [name, path in given ? given[path] : entry.default];
    }),
  );
}
