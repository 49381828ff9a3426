import type { ExitCode } from '../core/errors.ts';
import { processIo } from './processIo.ts';
import { runProgram } from './program.ts';
import { exitCodeOf, renderError } from './renderError.ts';

// The only file that prints errors and exits.

let ending: ExitCode | undefined;
const io = processIo(exit);
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

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
