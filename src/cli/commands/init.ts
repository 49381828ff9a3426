import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exitCodes, usageError } from '../../core/errors.ts';
import { configNames } from '../../settings/configFile.ts';
import { renderConfigTemplate } from '../../settings/configTemplate.ts';
import { row } from '../../settings/row.ts';
import { command } from '../command.ts';

const file = 'gatecheck.config.ts';

/** `init`: writes a commented config file into the current folder. */
export const initCommand = command({
  name: 'init',
  about: `write a commented config file, ${file}`,
  options: {
    force: row({ form: z.boolean(), default: false, flag: '--force', help: 'overwrite an existing one' }),
  },
  examples: ['gatecheck init'],
  run: ({ io, options }) => {
    const existing = configNames.find((name) => existsSync(join(io.folder, name)));
    if (existing !== undefined && !(options.force && existing === file)) throw occupied(existing);
    writeConfig(join(io.folder, file));
    io.stdout.write(`Wrote ${file}. Uncomment what applies, then try: gatecheck plan\n`);
    return Promise.resolve(exitCodes.ok);
  },
});

function occupied(existing: string): Error {
  const hint =
    existing === file ? 'Overwrite it with --force.' : 'Remove it first; a folder has one config file.';
  return usageError('CONFIG_EXISTS', `expected a folder without a config file; got ${existing}`, hint);
}

function writeConfig(path: string): void {
  try {
    writeFileSync(path, renderConfigTemplate());
  } catch {
    throw usageError('UNWRITABLE', `expected to be able to write ${path}; it was refused`);
  }
}
