import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactorOf } from '../../src/cli/processIo.ts';
import { runProgram } from '../../src/cli/program.ts';
import { exitCodeOf, renderError } from '../../src/cli/renderError.ts';
import type { Io, Output } from '../../src/core/io.ts';
import { plainPalette } from '../../src/core/palette.ts';
import type { Ended, Invocation } from './gatecheck.ts';

interface Where {
  /** By default a folder of its own. */
  readonly folder?: string;
  /** Ends the command as Ctrl-C does, once it has printed this. */
  readonly until?: RegExp;
}

/**
 * Runs one command line in a folder of its own, in this process: a process of its own takes a second more to load what is loaded here. For what
 * has to do with processes (signals, streams, how they end) there is `gatecheck`.
 */
export async function commandLine(
  args: readonly string[],
  given: Pick<Invocation, 'env' | 'config'> & Where = {},
): Promise<Ended> {
  const folder = given.folder ?? mkdtempSync(join(tmpdir(), 'gatecheck-line-'));
  if (given.config !== undefined)
    writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify(given.config));
  // As within any process that vitest starts, no other vitest shows the checks.
  const env = { PATH: process.env.PATH, VITEST: 'true', GATECHECK_STATE_DIR: 'reports', ...given.env };
  const interrupts = new Set<() => void>();
  const onText = (text: string) => {
    if (given.until?.test(text) === true) interrupts.forEach((react) => react());
  };
  const [stdout, stderr] = [kept(onText), kept(onText)];
  const onInterrupt = (react: () => void) => {
    interrupts.add(react);
    return () => interrupts.delete(react);
  };
  const io: Io = {
    ...{ args, env, folder, stdout, stderr, onInterrupt },
    ...{ redactor: redactorOf(env), ask: null, exit: () => undefined },
  };
  const started = performance.now();
  const code = await runProgram(io).catch((error: unknown) => {
    stderr.write(io.redactor.redact(renderError(error, io)));
    return exitCodeOf(error);
  });
  const ms = performance.now() - started;
  return { code, stdout: stdout.text(), stderr: stderr.text(), folder, ms };
}

/** What a pipe is given. */
function kept(onText: (text: string) => void): Output & { readonly text: () => string } {
  let written = '';
  return {
    write: (text) => {
      written += text;
      onText(written);
    },
    text: () => written,
    palette: plainPalette,
    interactive: false,
    columns: 80,
  };
}
