import { plainPalette } from '../../src/core/palette.ts';
import { Redactor } from '../../src/core/redact.ts';
import type { Environment, Io } from '../../src/core/io.ts';
import { runProgram } from '../../src/cli/program.ts';
import { exitCodeOf, renderError } from '../../src/cli/renderError.ts';

interface Place {
  readonly folder: string;
  readonly env?: Environment;
  /** Ends the command as Ctrl-C does, once it has printed this. */
  readonly until?: RegExp;
}

/** One command line in this process, as `main.ts` runs it: its exit code, and what it prints. */
export async function commandLine(args: readonly string[], { folder, env = {}, until }: Place) {
  const text = { stdout: '', stderr: '' };
  const interrupts = new Set<() => void>();
  const outputOf = (stream: keyof typeof text) => ({
    write: (more: string) => {
      text[stream] += more;
      if (until?.test(text[stream])) interrupts.forEach((react) => react());
    },
    ...{ palette: plainPalette, interactive: false, columns: 80 },
  });
  const io: Io = {
    ...{ args, env: { GATECHECK_STATE_DIR: folder, ...env }, folder },
    ...{ stdout: outputOf('stdout'), stderr: outputOf('stderr'), redactor: new Redactor(), ask: null },
    onInterrupt: (react) => {
      interrupts.add(react);
      return () => interrupts.delete(react);
    },
    exit: () => undefined,
  };
  const code = await runProgram(io).catch((error: unknown) => {
    text.stderr += renderError(error, io);
    return exitCodeOf(error);
  });
  return { code, ...text };
}
