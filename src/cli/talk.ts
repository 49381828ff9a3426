import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemClock, type Clock } from '../core/clock.ts';
import { exitCodes } from '../core/errors.ts';
import type { Io, Output } from '../core/io.ts';
import { shortPath } from '../core/shortPath.ts';
import type { Listener, RunEvent } from '../engine/observe/events.ts';
import type { RunOutput } from '../run/run.ts';
import { problemsError } from '../settings/problem.ts';
import { row, type ValuesOf } from '../settings/row.ts';
import { gateOf } from '../report/gate.ts';
import { tellGithub } from './github.ts';
import type { CommandEvent } from './events/commandEvents.ts';
import {
  renderTraffic,
  renderEvent,
  renderProgress,
  renderStatusLine,
  createBlock,
} from './progress/render.ts';
import { advanceProgress, initialProgress, isKnown } from './progress/state.ts';

/** How much a run prints, and in which form. */
export const talkTable = {
  quiet: row({ form: z.boolean(), default: false, flag: '--quiet', help: 'print only the verdict' }),
  verbose: row({ form: z.boolean(), default: false, flag: '--verbose', help: 'print each exchange as well' }),
  json: row({
    form: z.boolean(),
    default: false,
    flag: '--json',
    help: 'print every event on stdout as NDJSON, one per line',
  }),
};

export type TalkOptions = ValuesOf<typeof talkTable>;

/** What the terminal shows of a run. */
interface Talk extends ProgressDisplay {
  /** Prints the result, once the run is over. */
  readonly finish: (output: RunOutput) => Promise<void>;
}

const silent: ProgressDisplay = { listener: () => undefined, stop: () => undefined };

/** Refuses contradictory options. */
export function checkTalk({ quiet, verbose }: Pick<TalkOptions, 'quiet' | 'verbose'>): void {
  if (quiet && verbose)
    throw problemsError([{ where: '--quiet, --verbose', fault: 'expected one of the two; got both' }]);
}

export function createTalk(options: TalkOptions, io: Io): Talk {
  checkTalk(options);
  const { quiet, verbose, json } = options;
  const { listener: draw, stop } = quiet ? silent : createProgress(io.stderr, systemClock, verbose);
  const listener: Listener = (event) => {
    if (json) writeEvent(event, io);
    draw(event);
  };
  return {
    listener,
    stop,
    finish: async (output) => {
      await lastWords(output, { quiet, json }, io);
      await tellGithub(output, io, json);
    },
  };
}

/** Shows traffic that is not part of a run of checks: as events, as lines, or not at all. */
export function trafficTeller({ verbose, json }: Pick<TalkOptions, 'verbose' | 'json'>, io: Io): Listener {
  return (event) => {
    if (json) writeEvent(event, io);
    if (!verbose) return;
    const lines = renderTraffic(event, io.stderr.palette);
    for (const line of lines) io.stderr.write(`${io.redactor.redact(line)}\n`);
  };
}

/** Prints an event as `--json` does: a line with the time, without secrets. */
export function writeEvent(event: RunEvent | CommandEvent, io: Io): void {
  const at = new Date(systemClock.now()).toISOString();
  io.stdout.write(`${io.redactor.redact(JSON.stringify({ at, ...event }))}\n`);
}

async function lastWords(
  { result, exitCode, reportDir }: RunOutput,
  { quiet, json }: Pick<TalkOptions, 'quiet' | 'json'>,
  io: Io,
): Promise<void> {
  const [{ renderConsole, renderVerdictLine }, { evidenceFor }] = await Promise.all([
    import('../report/renderConsole.ts'),
    import('../report/evidence/collectEvidence.ts'),
  ]);
  const paths = await reportPaths(reportDir, io);
  if (json) writeEvent(reportsEvent({ result, exitCode }, paths), io);
  else if (quiet) {
    io.stdout.write(`${renderVerdictLine(result, io.stdout.palette)}\n`);
    const { verdict, reasons = [] } = result.summary;
    // The first line has no room for what to do, such as which entry of the baseline to delete.
    if (exitCode === exitCodes.gateNotMet && verdict !== 'nonconformant')
      io.stderr.write(io.redactor.redact(reasons.map((reason) => `${reason}\n`).join('')));
  } else {
    const look = { palette: io.stdout.palette, evidence: await evidenceFor(result, reportDir) };
    io.stdout.write(renderConsole(result, paths, look));
  }
}

/** The last event of whatever ends with a result. */
export function reportsEvent(
  { result: { summary }, exitCode }: Pick<RunOutput, 'result' | 'exitCode'>,
  paths: readonly string[],
): CommandEvent {
  return { name: 'reports', exitCode, verdict: summary.verdict, gate: gateOf(summary), paths };
}

/** The reports that a reader opens first, relative to this folder. */
async function reportPaths(reportDir: string, { folder }: Io): Promise<readonly string[]> {
  const { reportFiles } = await import('../report/reportDir.ts');
  return [reportFiles.html, reportFiles.result]
    .map((name) => join(reportDir, name))
    .filter((path) => existsSync(path))
    .map((path) => shortPath(path, folder));
}

interface ProgressDisplay {
  readonly listener: Listener;
  /** Removes what is drawn and stops drawing. */
  readonly stop: () => void;
}

const redrawMs = 200;
const statusMs = 10_000;

/** Shows a run on stderr: one block that is redrawn on a terminal, plain lines elsewhere; with verbose, also its traffic. */
export function createProgress(output: Output, clock: Clock, isVerbose = false): ProgressDisplay {
  let state = initialProgress(clock.monotonic());
  const block = createBlock(output);
  const tick = () => {
    if (output.interactive) block.draw(renderProgress(state, clock.monotonic(), output));
    else if (state.run !== null) output.write(`${renderStatusLine(state, clock.monotonic())}\n`);
  };
  const cancel = repeat(clock, output.interactive ? redrawMs : statusMs, tick);
  return {
    listener: (event) => {
      const isAgain = event.name === 'finding' && isKnown(state, event);
      state = advanceProgress(state, event, clock.monotonic());
      const isDrawn = event.name === 'waiting' && output.interactive;
      const line = isAgain || isDrawn ? null : renderEvent(event, output.palette);
      if (line !== null) block.print(line);
      else if (isVerbose) renderTraffic(event, output.palette).forEach(block.print);
    },
    stop: () => {
      cancel();
      block.draw([]);
    },
  };
}

function repeat(clock: Clock, ms: number, task: () => void): () => void {
  let cancel = clock.timer(ms, again);
  function again(): void {
    task();
    cancel = clock.timer(ms, again);
  }
  return () => cancel();
}
