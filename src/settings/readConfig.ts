import { dirname, relative, resolve } from 'node:path';
import type { Environment } from '../core/io.ts';
import { nodeOf } from './annotations.ts';
import { findConfig, readConfigFile } from './configFile.ts';
import { configSchema, fieldIn } from './configSchema.ts';
import type { Layer } from './readText.ts';
import { rowsOf, type ValuePlace } from './row.ts';
import { settingsTable } from './table.ts';
import { problemsOf } from './wording.ts';

/** What a config file says, and which variables it names. */
interface ConfigLayer extends Layer {
  readonly variables: readonly string[];
}

export const noConfig: ConfigLayer = { given: {}, problems: [], variables: [] };

/** Reads the named config file, or the nearest one upward; without any, an empty layer. */
export async function loadConfig(named: string | undefined, place: ValuePlace): Promise<ConfigLayer> {
  const path = named === undefined ? findConfig(place.folder) : resolve(place.folder, named);
  return path === null ? noConfig : readConfig(await readConfigFile(path), path, place);
}

/** Validates what a config file holds; all its faults are reported together. */
export function readConfig(content: unknown, path: string, { folder, env }: ValuePlace): ConfigLayer {
  const schema = configSchema({ folder: dirname(path), env });
  const read = schema.safeParse(content);
  const variables = variablesIn(content, env);
  if (!read.success) {
    const name = relative(folder, path);
    const problems = problemsOf({ issues: read.error.issues, given: content, node: nodeOf(schema) });
    const placed = problems.map(({ where, fault }) => ({
      where: `${name}: ${where || 'the whole file'}`,
      fault,
    }));
    return { given: {}, problems: placed, variables };
  }
  const values = rowsOf(settingsTable)
    .map((row) => [row.path, fieldIn(read.data, row)] as const)
    .filter(([, value]) => value !== undefined);
  return { given: Object.fromEntries(values), problems: [], variables };
}

/** The variables that a config names as `env:NAME`, wherever they stand. */
function variablesIn(content: unknown, env: Environment): readonly string[] {
  const text = JSON.stringify([content]);
  return Object.keys(env).filter((name) => text.includes(`"env:${name}"`));
}
