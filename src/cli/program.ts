import { Command, CommanderError } from 'commander';
import type { AddCommand } from './command.ts';
import { addRun } from './commands/run.ts';
import { addPlan } from './commands/plan.ts';
import { addDoctor } from './commands/doctor.ts';
import { addLimits } from './commands/limits.ts';
import { addLoad } from './commands/load.ts';
import { addWorker } from './commands/worker.ts';
import { addSink } from './commands/sink.ts';
import { addServe } from './commands/serve.ts';
import { addRequirements } from './commands/requirements.ts';
import { addProve } from './commands/prove.ts';
import { addReplay } from './commands/replay.ts';
import { addReport } from './commands/report.ts';
import { addInit } from './commands/init.ts';
import type { Io } from '../core/io.ts';
import { type ExitCode, exitCodes } from '../core/errors.ts';
import { version } from '../version.ts';
import { commandLineError } from './commandLineError.ts';

const commands: readonly (readonly [name: string, add: AddCommand])[] = [
  ['run', addRun],
  ['plan', addPlan],
  ['doctor', addDoctor],
  ['limits', addLimits],
  ['load', addLoad],
  ['worker', addWorker],
  ['sink', addSink],
  ['serve', addServe],
  ['requirements', addRequirements],
  ['prove', addProve],
  ['replay', addReplay],
  ['report', addReport],
  ['init', addInit],
];

/** Runs one command line and returns its exit code; throws what went wrong. */
export async function runProgram(io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const program = createProgram(io, (finished) => (code = finished));
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

/** The whole command line as commander knows it. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('gatecheck')
    .description('Conformance and load-testing harness of the Web Check-in and Flight Alerts partner APIs.')
    .version(version, '-V, --version', 'print the version')
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
