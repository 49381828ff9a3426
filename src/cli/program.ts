import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { type ExitCode, exitCodes } from '../core/errors.ts';
import { commandLineError } from './commandLineError.ts';
import { addInit } from './commands/init.ts';
import type { Io } from './io.ts';

/** Adds one command to the program; `finish` takes the exit code of its action. */
export type AddCommand = (command: Command, io: Io, finish: (code: ExitCode) => void) => void;

const commands: readonly (readonly [name: string, add: AddCommand])[] = [['init', addInit]];

/** Runs one command line and returns its exit code; throws what went wrong. */
export async function runProgram(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram(io, (finished) => (code = finished));
  if (args.length === 0) {
    io.stderr.write(program.helpInformation());
    return exitCodes.usage;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return code;
}

/** The whole command line as commander knows it. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('gatecheck')
    .description('Conformance and load-testing harness of the Web Check-in and Flight Alerts partner APIs.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ writeOut: io.stdout.write, writeErr: () => undefined })
    .showSuggestionAfterError(false);
  refuseClearly(program);
  for (const [name, add] of commands) {
    const command = program.command(name);
    refuseClearly(command);
    add(command, io, finish);
  }
  return program;
}

/** Commander's own errors become ours; what it throws after printing help passes. */
function refuseClearly(command: Command): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : commandLineError(error, command);
  });
}

function version(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
