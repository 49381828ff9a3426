import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { exitCodes, usageError, type ExitCode } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import type { Settings } from '../core/settings.ts';
import { readResult } from '../report/readResult.ts';
import { reportFiles } from '../report/reportDir.ts';
import { renderVerdictLine } from '../report/renderConsole.ts';
import type { RunResult } from '../report/result.ts';
import { plural } from '../report/text/format.ts';
import { develop, type DevEvent, type DevPorts, type DevStep } from '../run/dev/develop.ts';
import { placeOf, watchRestarts } from '../run/dev/restart.ts';
import { watchFiles } from '../run/dev/watchFiles.ts';
import { run, type RunOutput } from '../run/run.ts';
import { replayLine } from './again.ts';
import { renderCommandLine } from './commandText.ts';
import { openFile } from './openFile.ts';
import { exitCodeOf, renderError } from './renderError.ts';
import { createTalk } from './talk.ts';

/** Runs the checks again and again while a server is being written, until the developer quits. */
export async function developHere(settings: Settings, files: string | null, io: Io): Promise<ExitCode> {
  const stop = new AbortController();
  const events = new EventQueue();
  const release = listen(settings, { files, io, events, signal: stop.signal });
  const dir = settings.reportDir ?? join('reports', 'dev');
  const report = join(io.folder, dir, reportFiles.html);
  try {
    await develop(
      {
        next: () => events.next(),
        run: (step, signal) => runStep(step, { settings: { ...settings, reportDir: dir }, signal, io }),
        waiting: (failed, isJudged) =>
          io.stderr.write(waitingText(isJudged ? failedText(failed) : 'undecided', io)),
        open: () => openReport(report, io),
        noneFailed: () => io.stderr.write('nothing failed last; a runs all\n'),
      },
      settings.only.length > 0 ? [] : await failedBefore(join(io.folder, dir)),
    );
    return events.wasInterrupted ? exitCodes.interrupted : exitCodes.ok;
  } finally {
    stop.abort();
    release();
  }
}

/** Events, one after another; changes that come before the first one was handled count as one. */
class EventQueue {
  wasInterrupted = false;
  #waiting: DevEvent[] = [];
  #wake: (() => void) | null = null;

  push(event: DevEvent): void {
    if (!this.#waiting.includes(event)) this.#waiting.push(event);
    this.#wake?.();
  }

  async next(): Promise<DevEvent> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

interface Listening {
  readonly files: string | null;
  readonly io: Io;
  readonly events: EventQueue;
  readonly signal: AbortSignal;
}

/** Listens for everything that starts another run; returns a function that stops it. */
function listen({ target }: Settings, { files, io, events, signal }: Listening): () => void {
  const changed = () => events.push('changed');
  if (files !== null) watchFiles(files, { folder: io.folder, signal, onChange: changed });
  const urls = target.kind === 'url' ? [...new Set(Object.values(target.baseUrls))] : [];
  for (const url of urls)
    void watchRestarts(placeOf(url), { clock: systemClock, signal, onRestart: changed });
  const quit = () => {
    events.wasInterrupted = true;
    events.push('quit');
  };
  const releases = [io.onInterrupt(quit), io.onKey?.((key) => press(key, { events, quit }))];
  return () => releases.forEach((release) => release?.());
}

function press(
  key: string,
  { events, quit }: { readonly events: EventQueue; readonly quit: () => void },
): void {
  const event = keys[key.toLowerCase()];
  // A terminal in key mode reports Ctrl-C as a key.
  if (key === '\u0003') quit();
  else if (event !== undefined) events.push(event);
}

const keys: Readonly<Record<string, DevEvent>> = { a: 'all', f: 'failed', o: 'open', q: 'quit' };

interface StepPorts {
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly io: Io;
}

async function runStep(
  { name, only }: DevStep,
  { settings, signal, io }: StepPorts,
): ReturnType<DevPorts['run']> {
  const own = only.length === 0 ? settings : { ...settings, only };
  const talk = createTalk({ quiet: false, verbose: false, json: false }, io);
  try {
    const output = await run(own, {
      // It was not interrupted by a user: something else is run.
      listener: (event) => {
        if (event.name !== 'interrupted') talk.listener(event);
      },
      signal,
      command: renderCommandLine(io.args, io.redactor),
      again: (fingerprint, reportDir) => replayLine(io, fingerprint, reportDir),
      root: io.folder,
    });
    talk.stop();
    if (signal.aborted) return { failed: [], isJudged: false };
    await tell(name, output, { talk, io });
    return { failed: failedIn(output.result), isJudged: isJudged(output) };
  } catch (error) {
    // Waits for a server or state handler that is not there yet.
    if (exitCodeOf(error) !== exitCodes.inconclusive) throw error;
    talk.stop();
    if (!signal.aborted) io.stderr.write(renderError(error, io));
    return { failed: [], isJudged: false };
  } finally {
    talk.stop();
  }
}

/** Opens the report of the last run, and says so: it may open behind the terminal. */
async function openReport(path: string, io: Io): Promise<void> {
  try {
    if (!existsSync(path))
      throw usageError('NO_REPORT', 'There is no report yet: the first run has not ended.');
    await openFile(path, io.env);
    io.stderr.write(`opened ${path}\n`);
  } catch (error) {
    io.stderr.write(renderError(error, io));
  }
}

/** A step before the last prints one line if nothing failed. */
async function tell(
  name: DevStep['name'],
  output: RunOutput,
  { talk, io }: { readonly talk: ReturnType<typeof createTalk>; readonly io: Io },
): Promise<void> {
  const isBrief = name !== 'all' && isJudged(output) && failedIn(output.result).length === 0;
  if (isBrief)
    io.stdout.write(`${stepNames[name]}: ${renderVerdictLine(output.result, io.stdout.palette)}\n`);
  else await talk.finish(output);
}

const stepNames = { failed: 'what failed before', near: 'what is related', all: 'all' } as const;

/** Undecided checks are no reason to run something else first if nothing was decided at all. */
function isJudged({ result, exitCode }: RunOutput): boolean {
  return exitCode === exitCodes.ok || exitCode === exitCodes.gateNotMet || failedIn(result).length > 0;
}

function failedIn({ requirements }: RunResult): readonly string[] {
  return requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/** What failed in the last run here, by `dev` or by `run`. */
async function failedBefore(dir: string): Promise<readonly string[]> {
  for (const folder of [dir, join(dir, '..', 'latest')]) {
    const result = await readResult(join(folder, reportFiles.result)).catch(() => null);
    if (result !== null) return failedIn(result);
  }
  return [];
}

function failedText(failed: readonly string[]): string {
  return failed.length === 0 ? 'nothing failed' : `${plural(failed.length, 'requirement')} failed`;
}

function waitingText(known: string, { onKey, stderr }: Io): string {
  const how = onKey ? 'a all · f failed · o open report · q quit' : 'Ctrl-C ends it';
  return `\n${known}; waiting for the server to restart   ${stderr.palette.dim(how)}\n`;
}
