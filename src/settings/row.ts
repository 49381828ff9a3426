import type { z } from 'zod';
import type { Environment } from '../core/io.ts';

/** Where a value was written: relative paths start at the folder, and `env:NAME` is looked up in the environment. */
export interface ValuePlace {
  readonly folder: string;
  readonly env: Environment;
  /** For what sends nothing, no secret has to be there; by default some have to. */
  readonly sendsNothing?: boolean;
}

/** How a value is written and read; some values need to know where they were written. */
export type Form<T = unknown, I = unknown> = z.ZodType<T, I> | ((place: ValuePlace) => z.ZodType<T, I>);

/** One setting. Its values, its default, who may set it, and its explanation are defined here and nowhere else. */
export interface Row<F extends Form = Form, D = unknown> {
  readonly form: F;
  readonly default: D;
  /** What it does, in a phrase without a full stop. */
  readonly help: string;
  /** Its option, in commander's notation: `--seed <n>`. */
  readonly flag?: `--${string}`;
  /** The value of the option if none follows it. */
  readonly bare?: string;
  /** The environment variable that sets it. */
  readonly variable?: `GATECHECK_${string}`;
  /** A variable that is set but empty is a mistake: another deployment would be judged, or less of it. */
  readonly refusesEmpty?: true;
  /** Its name in the config file if that differs; false for a setting that no file may contain. */
  readonly file?: string | false;
  /** Its value is never shown; a file names the variable with the value, as `env:NAME`. */
  readonly secret?: true;
  /** An example of its value in a config file. */
  readonly example?: unknown;
  /** A fuller example. */
  readonly fullExample?: unknown;
  /** The default in words, if it does not speak for itself. */
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

/** The values of a table once everything is read, nested as its groups are. */
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
  /** `budgets.maxRequests`: its path among all values. */
  readonly path: string;
  /** Its path in the config file; null if no file may contain it. */
  readonly field: string | null;
}

/** All rows of a table in order, including those of groups. */
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

/** The schema of a row for values written at `place`. */
export function schemaOf({ form }: Pick<Row, 'form'>, place: ValuePlace): z.ZodType {
  return typeof form === 'function' ? form(place) : form;
}

/** The values by their paths, with defaults for the rest, nested as the table is. */
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
