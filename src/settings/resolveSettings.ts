import type { Settings } from '../core/settings.ts';
import { readConfig } from './config.ts';
import type { Config } from './config/schema.ts';
import type { Environment } from '../core/io.ts';
import { normalizeSettings } from './settings.ts';

const silent = { input: {}, problems: [] };

/**
 * Settings from a config alone, for programs that call `run` themselves: `env:NAME` is looked up in `env`, no other
 * variable counts, and relative paths count from `folder`. Throws one usage error that names all that is wrong.
 */
export function resolveSettings(
  config: Config,
  { env = process.env, folder = process.cwd() }: { env?: Environment; folder?: string } = {},
): Settings {
  return normalizeSettings(silent, silent, readConfig(config, `${folder}/config`, { folder, env }));
}
