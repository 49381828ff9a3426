import { readFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import type { Environment } from '../core/io.ts';
import { nodeOf } from './annotations.ts';
import { findConfig, readConfigFile } from './configFile.ts';
import { placesIn, repeatedMembers } from './configPlaces.ts';
import { configSchema, fieldIn } from './configSchema.ts';
import type { Problem } from './problem.ts';
import type { Layer } from './readText.ts';
import { rowsOf, type ValuePlace } from './row.ts';
import { settingsTable } from './table.ts';
import { fieldName, problemsOf } from './wording.ts';
import { isEmpty } from './environment.ts';

/** What a config file says, and which variables it names. */
interface ConfigLayer extends Layer {
  readonly variables: readonly string[];
  /** `file:line:column` of a field in the file; null if it is not set there, or the file has no lines. */
  readonly placeOf: (field: string) => string | null;
}

export const noConfig: ConfigLayer = { given: {}, problems: [], variables: [], placeOf: () => null };

/** Reads the named config file, or the nearest one upward; if there is none, returns an empty layer. */
export async function loadConfig(named: string | undefined, place: ValuePlace): Promise<ConfigLayer> {
  const path = named === undefined ? findConfig(place.folder) : resolve(place.folder, named);
  if (path === null) return noConfig;
  const content = await readConfigFile(path);
  const text = readFileSync(path, 'utf8');
  const name = relative(place.folder, path);
  const find = placesIn(path, text);
  const placeOf = (field: string) => {
    const found = find(stepsOf(field));
    return found === null ? null : `${name}:${found.line}:${found.column}`;
  };
  const read = readConfig(content, path, place);
  const repeated = extname(path) === '.json' ? repeatedMembers(text) : [];
  const problems = [
    ...read.problems,
    ...repeated.map((steps) => ({
      where: `${name}: ${fieldName(steps)}`,
      fault: 'expected it once; it is there twice, and only the last would count',
    })),
  ];
  return { ...read, placeOf, problems: problems.map((problem) => withPlace(problem, `${name}: `, placeOf)) };
}

/** The same problem with line and column after the file name. */
function withPlace({ where, fault }: Problem, prefix: string, placeOf: ConfigLayer['placeOf']): Problem {
  const field = where.slice(prefix.length);
  const place = placeOf(field);
  return { where: place === null ? where : `${place}: ${field}`, fault };
}

/** `flights[0].departureDate` as a path. */
function stepsOf(field: string): readonly PropertyKey[] {
  return [...field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, index]) =>
    index === undefined ? (name ?? '') : Number(index),
  );
}

/** Validates the content of a config file; all its faults are reported together. */
export function readConfig(content: unknown, path: string, place: ValuePlace): ConfigLayer {
  const { folder, env } = place;
  const schema = configSchema({ folder: dirname(path), env });
  const { content: filled, emptied } = withoutEmptySecrets(content, place);
  const read = schema.safeParse(filled);
  const variables = variablesIn(content, env);
  if (!read.success) {
    const name = relative(folder, path);
    const problems = problemsOf({ issues: read.error.issues, given: content, node: nodeOf(schema) });
    const placed = problems.map(({ where, fault }) => ({
      where: `${name}: ${where || 'the whole file'}`,
      fault,
    }));
    return { ...noConfig, problems: placed, variables, emptied };
  }
  const values = rowsOf(settingsTable)
    .map((row) => [row.path, fieldIn(read.data, row)] as const)
    .filter(([, value]) => value !== undefined);
  return { ...noConfig, given: Object.fromEntries(values), variables, emptied };
}

/** The variables that a config names as `env:NAME`, anywhere. */
function variablesIn(content: unknown, env: Environment): readonly string[] {
  const text = JSON.stringify([content]);
  return Object.keys(env).filter((name) => text.includes(`"env:${name}"`));
}

interface Given {
  readonly content: unknown;
  /** Variables that are set but empty. */
  readonly emptied: readonly string[];
}

/** A config without its optional secrets whose variables are set but empty: CI keeps secrets from builds of forks. */
function withoutEmptySecrets(content: unknown, { env, sendsNothing = false }: ValuePlace): Given {
  const secrets = rowsOf(settingsTable).filter(({ secret }) => secret === true);
  const optional = secrets.filter(({ refusesEmpty }) => sendsNothing || refusesEmpty !== true);
  return optional.reduce<Given>(
    (given, { field }) => {
      const named = [fieldIn(given.content, { field })].flat();
      const emptied = named.flatMap((name) => emptyVariable(name, env) ?? []);
      if (field === null || emptied.length === 0) return given;
      const left = named.filter((name) => emptyVariable(name, env) === null);
      const value = left.length === 0 ? undefined : left;
      return {
        content: withField(given.content, field.split('.'), value),
        emptied: [...given.emptied, ...emptied],
      };
    },
    { content, emptied: [] },
  );
}

function emptyVariable(text: unknown, env: Environment): string | null {
  const [, name] = /^env:([A-Za-z_]\w*)$/.exec(typeof text === 'string' ? text : '') ?? [];
  return name !== undefined && isEmpty(env, name) ? name : null;
}

function withField(content: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const inner: unknown = Reflect.get(content as object, name);
  return { ...(content as object), [name]: rest.length === 0 ? value : withField(inner, rest, value) };
}
