import { Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { refuseProblems } from '../settings/problem.ts';
import { readFlags, readVariables } from '../settings/readText.ts';
import { fillIn, rowsOf, type PlacedRow } from '../settings/row.ts';
import { misspellingOf, strayVariables, variablesOf } from '../settings/strayVariables.ts';
import { version } from '../version.ts';
import type { Call, CommandSpec } from './command.ts';
import { commandLineError } from './commandLineError.ts';
import { commands, knownVariables } from './commands.ts';
import { addOptions, rawValues } from './options.ts';

/** Runs one command line and returns its exit code; throws errors. */
export async function runProgram(io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram(async (spec, call) => {
    code = await spec.run(call);
  }, io);
  if (io.args.length === 0) {
    io.stderr.write(program.helpInformation());
    return exitCodes.usage;
  }
  try {
    await program.parseAsync(io.args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return code;
}

/** Parses one command line without performing it; throws its errors, as `runProgram` would. */
export async function checkCommandLine(io: Io): Promise<void> {
  const program = createProgram((_spec, { flags }) => {
    refuseProblems(flags.problems);
    return Promise.resolve();
  }, io);
  await program.parseAsync(io.args, { from: 'user' });
}

/** The whole command line for commander; `perform` does what a command line asks for. */
function createProgram(perform: (spec: CommandSpec, call: Call) => Promise<void>, io: Io): Command {
  const program = new Command('gatecheck')
    .description('Conformance and load-testing harness of the Web Check-in and Flight Alerts partner APIs.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureOutput({ writeOut: io.stdout.write, writeErr: () => undefined })
    .showSuggestionAfterError(false);
  refuseClearly(program);
  for (const spec of commands) {
    const command = program.command(spec.name).description(spec.about);
    refuseClearly(command);
    describe(command, spec);
    command.action(async () => perform(spec, readCall(spec, command, io)));
  }
  return program;
}

function describe(command: Command, { argument, settings = [], options, examples }: CommandSpec): void {
  if (argument) command.argument(argument[0], argument[1]);
  addOptions(command, rowsOf(options), settings);
  const title = examples.length === 1 ? 'Example:' : 'Examples:';
  command.addHelpText('after', `\n${title}\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

/** Parses a command line; the command's own options throw one usage error for all problems. */
function readCall({ options, settings = [] }: CommandSpec, command: Command, io: Io): Call {
  const raw = rawValues(command);
  const own = rowsOf(options);
  const variables = readVariables(own, io);
  const flags = readFlags(own, raw, io);
  const misspelt = strayVariables(io.env, knownVariables).flatMap(misspellingOf(variablesOf(own)));
  refuseProblems([...misspelt, ...variables.problems, ...flags.problems]);
  return {
    io,
    args: command.args,
    options: fillIn(options, { ...variables.given, ...flags.given }),
    given: new Set(own.filter(({ path }) => path in flags.given).map(flagOf)),
    flags: readFlags(settings, raw, io),
    variables: knownVariables,
  };
}

function flagOf({ flag }: PlacedRow): string {
  return flag?.split(' ', 1)[0] ?? '';
}

/** Turns commander's errors into ours; what it throws after printing help passes. */
function refuseClearly(command: Command): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : commandLineError(error, command);
  });
}
