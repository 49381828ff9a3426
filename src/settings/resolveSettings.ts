import { checkOptions } from '../core/knownOptions.ts';
import type { Environment } from '../core/io.ts';
import type { Settings } from '../core/settings.ts';
import type { Config } from './configSchema.ts';
import { isInCi } from './environment.ts';
import { noConfig, readConfig } from './readConfig.ts';
import { normalizeSettings } from './settings.ts';

interface ResolveOptions {
  readonly env?: Environment;
  readonly folder?: string;
  /** The settings are for recorded traffic; by default for a run. */
  readonly sendsNothing?: boolean;
}

/**
 * Settings from a config alone, for programs that call `run` themselves: `env:NAME` is looked up in `env`, no other variable
 * counts, and relative paths start at `folder`. Without a target it is the embedded reference, except in CI and with keys, a state
 * handler or a public address of the sink: then `target: 'embedded'` has to say so. With `sendsNothing`, for `judgeRecorded`, it need not, and keys may be empty. Throws one usage error that lists all problems.
 */
export function resolveSettings(config: Config, options: ResolveOptions = {}): Settings {
  checkOptions('resolveSettings', options, { env: true, folder: true, sendsNothing: true });
  const { env = process.env, folder = process.cwd(), sendsNothing = false } = options;
  return normalizeSettings({
    flags: noConfig,
    environment: noConfig,
    config: readConfig(config, `${folder}/config`, { folder, env, sendsNothing }),
    isInCi: isInCi(env),
    sendsNothing,
  });
}
