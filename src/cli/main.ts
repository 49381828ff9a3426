import { exitCodes, type ExitCode } from '../core/errors.ts';
import { processIo } from './processIo.ts';
import { runProgram } from './program.ts';
import { endedByOthers, exitCodeOf, renderError } from './renderError.ts';

// The only file that prints errors and exits.

let ending: ExitCode | undefined;
const io = processIo(exit);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('exit', tellOfOthers);

try {
  exit(await runProgram(io));
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  io.stderr.write(io.redactor.redact(renderError(error, io)));
  exit(exitCodeOf(error));
}

/** Ends the process, whatever still holds it open, once both streams are flushed. The first code counts. */
function exit(code: ExitCode): void {
  ending ??= code;
  const end = () => process.exit(ending);
  setTimeout(end, 2000);
  process.stdout.write('', () => process.stderr.write('', end));
}

/** Code of the user's own may end the process with 0, which nobody is to take for a verdict. */
function tellOfOthers(code: number): void {
  // With 13 Node ends what waits for something that never comes.
  if (ending !== undefined || code === 13) return;
  io.stderr.write(io.redactor.redact(renderError(endedByOthers(code), io)));
  process.exitCode = exitCodes.inconclusive;
}
