import { dirname, relative, resolve } from 'node:path';
import { findConfig } from './config/find.ts';
import { configProblems } from './config/problems.ts';
import { readConfigFile } from './config/readFile.ts';
import { resolveConfig } from './config/resolve.ts';
import { configSchema } from './config/schema.ts';
import type { Environment } from '../core/io.ts';
import type { Layer } from './settingsInput.ts';

interface Place {
  /** The folder that a relative path counts from, and where the search upward begins. */
  readonly folder: string;
  readonly env: Environment;
}

/** Reads the named config file, or the nearest one upward; without any, an empty layer. */
export async function loadConfig(named: string | undefined, place: Place): Promise<Layer> {
  const path = named === undefined ? findConfig(place.folder) : resolve(place.folder, named);
  if (path === null) return { input: {}, problems: [] };
  return readConfig(await readConfigFile(path), path, place);
}

/** Validates what a config file holds; all that is wrong with it is told at once. */
export function readConfig(content: unknown, path: string, { folder, env }: Place): Layer {
  const name = relative(folder, path);
  const parsed = configSchema.safeParse(content);
  if (parsed.success) return resolveConfig(parsed.data, { name, folder: dirname(path) }, env);
  const problems = configProblems(parsed.error.issues, content);
  return { input: {}, problems: problems.map(({ where, fault }) => ({ where: `${name}: ${where}`, fault })) };
}
