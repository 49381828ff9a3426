import { z } from 'zod';
import type { Environment } from '../core/io.ts';
import { annotate, holdsCommas, nodeOf } from './annotations.ts';
import { isEmpty, valueOf } from './environment.ts';
import type { Problem } from './problem.ts';
import { schemaOf, type GivenValues, type ValuePlace, type PlacedRow } from './row.ts';
import { problemsOf } from './wording.ts';

/** One source of values as read, and what is wrong with it. */
export interface Layer {
  readonly given: GivenValues;
  readonly problems: readonly Problem[];
  /** Variables of secrets that are set but empty, as CI sets those that it keeps from a build; they count as not given. */
  readonly emptied?: readonly string[];
}

/** What commander passes for an option. */
export type RawValue = string | boolean | readonly string[] | undefined;

/** Reads the command line; `raw` has what was given for each flag. */
export function readFlags(
  rows: readonly PlacedRow[],
  raw: (flag: string) => RawValue,
  place: ValuePlace,
): Layer {
  return readAll(rows, place, (row) => {
    if (row.flag === undefined) return undefined;
    const value = raw(row.flag);
    const text = value === true && row.bare !== undefined ? row.bare : value;
    return text === undefined ? undefined : { where: row.flag.split(' ', 1)[0] ?? '', text };
  });
}

/** Reads the environment; an empty variable is refused where a row says so, and otherwise counts as unset. */
export function readVariables(rows: readonly PlacedRow[], place: ValuePlace): Layer {
  const { given, problems } = readAll(rows, place, ({ variable }) => {
    const text = variable === undefined ? undefined : valueOf(place.env, variable);
    return variable === undefined || text === undefined ? undefined : { where: variable, text };
  });
  const empty = rows.filter(({ variable }) => variable !== undefined && isEmpty(place.env, variable));
  const isRefused = ({ refusesEmpty }: PlacedRow) => refusesEmpty === true && place.sendsNothing !== true;
  const refused = empty.filter(isRefused);
  const secrets = empty.filter((row) => row.secret === true && !isRefused(row));
  return {
    given,
    problems: [...problems, ...refused.map((row) => emptyProblem(row, place))],
    emptied: secrets.flatMap(({ variable }) => variable ?? []),
  };
}

function emptyProblem(row: PlacedRow, place: ValuePlace): Problem {
  const expected = nodeOf(schemaOf(row, place)).expected ?? 'a value';
  const fault = `expected ${expected}; got an empty value. Set it (a secret of CI may be missing), or unset it`;
  return { where: row.variable ?? '', fault };
}

/** Every secret in the environment, by its variable. */
export function secretsIn(env: Environment, rows: readonly PlacedRow[]) {
  return rows.flatMap(({ secret, variable }) => {
    const text = secret === true && variable !== undefined ? valueOf(env, variable) : undefined;
    return text === undefined || variable === undefined ? [] : [{ variable, text }];
  });
}

interface Written {
  readonly where: string;
  readonly text: string | boolean | readonly string[];
}

function readAll(
  rows: readonly PlacedRow[],
  place: ValuePlace,
  find: (row: PlacedRow) => Written | undefined,
): Layer {
  const given: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const row of rows) {
    const written = find(row);
    if (written === undefined) continue;
    const schema = withExample(row, schemaOf(row, place));
    const input = inputOf(written.text, schema);
    const read = schema.safeParse(input);
    if (read.success) given[row.path] = read.data;
    else {
      const found = problemsOf({ issues: read.error.issues, given: input, node: nodeOf(schema) });
      problems.push(...found.map(({ fault }) => ({ where: written.where, fault })));
    }
  }
  return { given, problems };
}

function withExample({ example }: PlacedRow, schema: z.ZodType): z.ZodType {
  return example === undefined ? schema : annotate(schema, { examples: [example] });
}

/** Converts text to what the schema expects: a list, a number, `on` or `off`; anything else stays as it is. */
function inputOf(text: Written['text'], schema: z.ZodType): unknown {
  if (typeof text === 'boolean') return text;
  const inner = innermost(schema);
  if (inner instanceof z.ZodArray) {
    const element = inner.element as z.ZodType;
    const parts = holdsCommas(element) ? [text].flat() : [text].flat().flatMap((one) => one.split(','));
    return parts.map((part) => inputOf(part.trim(), element));
  }
  const single = [text].flat().at(-1) ?? '';
  const isNumber = isNumeric(inner) || (inner instanceof z.ZodUnion && inner.options.some(isNumeric));
  if (isNumber) return /^\d{1,16}$/.test(single) ? Number(single) : single;
  if (inner instanceof z.ZodBoolean) return single === 'on' ? true : single === 'off' ? false : single;
  return single;
}

function isNumeric(schema: unknown): boolean {
  return schema instanceof z.ZodNumber;
}

/** The schema before all transforms. */
function innermost(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? innermost(schema.in as z.ZodType) : schema;
}
