import type { FieldReader } from '../problem.ts';
import type { Parser } from '../values/parsed.ts';

/** What every step of resolving works with. */
export interface Resolving {
  readonly reader: FieldReader;
  /** Name of a field of this file, for error messages. */
  readonly at: (field: string) => string;
  /** The value of the environment variable that a field names. */
  readonly secret: <T>(field: string, variable: string | undefined, parse: Parser<T>) => T | undefined;
}
