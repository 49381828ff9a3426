import type { ExitCode } from '../core/errors.ts';
import { abortOnInterrupt } from '../core/interrupt.ts';
import type { Io } from '../core/io.ts';
import type { Settings } from '../core/settings.ts';
import type { RunOptions } from '../run/run.ts';
import { replayLine } from './again.ts';
import { renderCommandLine } from './commandText.ts';
import { createTalk, type TalkOptions } from './talk.ts';

/** Runs checks for a command: with a display, an end on Ctrl-C, a final summary and an exit code. */
export async function runChecks(
  settings: Settings,
  {
    talk: said,
    ...options
  }: Pick<RunOptions, 'show' | 'waitsForLimits' | 'resumed'> & { readonly talk: TalkOptions },
  io: Io,
): Promise<ExitCode> {
  const talk = createTalk(said, io);
  const { run } = await import('../run/run.ts');
  const { signal, release } = abortOnInterrupt(io);
  const command = renderCommandLine(io.args, io.redactor);
  try {
    const output = await run(settings, {
      ...options,
      listener: talk.listener,
      signal,
      command,
      again: (fingerprint, reportDir) => replayLine(io, fingerprint, reportDir),
      root: io.folder,
      onReportDir: io.onReportDir,
    });
    talk.stop();
    await talk.finish(output);
    if (output.notKept !== null) throw output.notKept;
    return output.exitCode as ExitCode;
  } finally {
    talk.stop();
    release();
  }
}
