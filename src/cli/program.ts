import { Command, CommanderError } from 'commander';
import { exitCodes, usageError, type ExitCode, type GatecheckError } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { refuseProblems } from '../settings/problem.ts';
import { readFlags, readVariables } from '../settings/readText.ts';
import { fillIn, rowsOf, type PlacedRow } from '../settings/row.ts';
import { misspellingOf, strayVariables, variablesOf } from '../settings/environment.ts';
import { version } from '../version.ts';
import type { Call, CommandSpec } from './command.ts';
import { commands, knownVariables } from './commands.ts';
import { addOptions, rawValues } from './options.ts';
import { suggest } from '../core/suggest.ts';
import { quote } from '../settings/quote.ts';

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

/** The error for a command line that commander refused. Values are never repeated, since one may be a pasted key. */
function commandLineError(error: CommanderError, command: Command): GatecheckError {
  const subject = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const path = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
  return usageError('COMMAND_LINE', faultOf(error, subject, command), `See \`${path} --help\`.`);
}

function faultOf(error: CommanderError, subject: string, command: Command): string {
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(subject.replace(/=.*$/s, ''), command);
    case 'commander.unknownCommand':
      return unknownCommand(subject, command);
    case 'commander.help':
      return unknownCommand(command.args[1] ?? '', command);
    case 'commander.optionMissingArgument':
      return `${subject}: expected a value; got none`;
    case 'commander.missingArgument':
      return `expected ${subject}; got nothing`;
    case 'commander.excessArguments':
      return `expected options only${argumentNames(command)}; got further words (not shown)`;
    default:
      return error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  }
}

function unknownOption(flag: string, command: Command): string {
  const known = command.options.flatMap(({ long, short }) =>
    [long, short].filter((name) => name !== undefined),
  );
  const others = (command.parent?.commands ?? []).filter((one) =>
    one.options.some(({ long }) => long === flag),
  );
  // `--listen` of one command may be `--sink-listen` of another.
  const longer = known.filter((name) => name.endsWith(flag.replace(/^-/, '')) && name !== flag);
  if (others.length > 0 && longer.length === 1)
    return `${flag}: no option of ${command.name()}; did you mean ${longer[0] ?? ''}?`;
  if (others.length > 0) return `${flag}: no option of ${command.name()}, but of ${names(others)}`;
  const meant = suggest(flag, known);
  const keys = /^--(api-?)?keys?$/i.test(flag) || (meant === '' && /key|token|secret|auth/i.test(flag));
  return `${flag}: no such option${keys ? '; keys come from the environment, as GATECHECK_KEYS_PRIMARY' : meant}`;
}

function names(commands: readonly Command[]): string {
  return commands.map((one) => one.name()).join(', ');
}

function unknownCommand(name: string, command: Command): string {
  const known = command.commands.map((one) => one.name());
  const meant = suggest(name, known);
  return `${quote(name)}: no such command${meant === '' ? `; expected one of ${known.join(', ')}` : meant}`;
}

function argumentNames(command: Command): string {
  const names = command.registeredArguments.map((argument) => argument.name());
  return names.length === 0 ? '' : ` and ${names.join(', ')}`;
}
