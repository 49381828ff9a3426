import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import type { Io } from '../../core/io.ts';
import { shortPath } from '../../core/shortPath.ts';
import { liveFigures } from '../../load/summary/live.ts';
import type { LoadView } from '../../load/load.ts';
import type { LoadOutput, LoadRunOptions } from '../../run/loadRun.ts';
import { loadFigures, loadFinished, loadStarted } from '../events/loadEvents.ts';
import { reportsEvent, trafficTeller, writeEvent, type TalkOptions } from '../talk.ts';
import { tellGithub } from '../github.ts';
import { createLoadProgress, silentLoadProgress } from './progress.ts';

/** What the terminal shows of a load. */
interface LoadTalk {
  readonly start: (view: LoadView) => void;
  readonly notice: (text: string) => void;
  /** Only if each exchange is to be shown. */
  readonly onExchange: LoadRunOptions['onExchange'] | undefined;
  readonly stop: () => void;
  /** Prints the result, once the load is over. */
  readonly finish: (output: LoadOutput) => Promise<void>;
}

const figuresMs = 1000;

export function createLoadTalk({ quiet, verbose, json }: TalkOptions, io: Io): LoadTalk {
  const progress = quiet ? silentLoadProgress : createLoadProgress(io.stderr, systemClock);
  let cancel: () => void = () => undefined;
  const tell = (view: LoadView) => {
    writeEvent(loadFigures(liveFigures(view, systemClock.monotonic())), io);
    cancel = systemClock.timer(figuresMs, () => tell(view));
  };
  return {
    start: (view) => {
      progress.start(view);
      if (!json) return;
      cancel();
      writeEvent(loadStarted(view), io);
      cancel = systemClock.timer(figuresMs, () => tell(view));
    },
    notice: (text) => {
      progress.notice(text);
      if (json) writeEvent({ name: 'notice', text }, io);
    },
    onExchange: verbose ? trafficTeller({ verbose, json }, io) : undefined,
    stop: () => {
      cancel();
      progress.stop();
    },
    finish: async (output) => {
      await lastWords(output, { quiet, json }, io);
      await tellGithub(output, io, json);
    },
  };
}

async function lastWords(
  { result, reportDir, exitCode }: LoadOutput,
  { quiet, json }: Pick<TalkOptions, 'quiet' | 'json'>,
  io: Io,
): Promise<void> {
  const [{ renderLoadConsole, renderLoadVerdict }, { reportFiles }] = await Promise.all([
    import('../../report/load/renderLoadConsole.ts'),
    import('../../report/reportDir.ts'),
  ]);
  const paths = [reportFiles.html, reportFiles.result].map((name) =>
    shortPath(join(reportDir, name), io.folder),
  );
  if (json) {
    writeEvent(loadFinished(result), io);
    writeEvent(reportsEvent({ result, exitCode }, paths), io);
  } else if (quiet) io.stdout.write(renderLoadVerdict(result, io.stdout.palette));
  else io.stdout.write(renderLoadConsole(result, paths, io.stdout.palette));
}
