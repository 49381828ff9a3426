import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, usageError } from '../../core/errors.ts';
import { renderConfigTemplate } from '../../settings/config/template.ts';
import { configNames } from '../../settings/config/find.ts';
import type { AddCommand } from '../command.ts';
import { addExamples } from './example.ts';

const file = 'gatecheck.config.ts';

/** `init`: writes a commented config file into the current folder. */
export const addInit: AddCommand = (command, io, finish) => {
  describe(command).action(({ force = false }: { force?: boolean }) => {
    const path = join(io.folder, file);
    const existing = configNames.find((name) => existsSync(join(io.folder, name)));
    if (existing !== undefined && !(force && existing === file)) throw occupied(existing);
    writeConfig(path);
    io.stdout.write(`Wrote ${file}. Uncomment what applies, then try: gatecheck plan\n`);
    finish(exitCodes.ok);
  });
};

function describe(command: Command): Command {
  command
    .description('write a commented config file, gatecheck.config.ts')
    .option('--force', 'overwrite one that is there');
  addExamples(command, 'gatecheck init');
  return command;
}

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
