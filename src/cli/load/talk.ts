import { join } from 'node:path';
import { systemClock, type Clock } from '../../core/clock.ts';
import type { Io, Output } from '../../core/io.ts';
import { shortPath } from '../../core/shortPath.ts';
import { liveFigures } from '../../load/summary/live.ts';
import type { LoadView } from '../../load/load.ts';
import type { LoadOutput, LoadRunOptions } from '../../run/loadRun.ts';
import { loadFigures, loadFinished, loadStarted } from '../events/loadEvents.ts';
import { reportsEvent, trafficTeller, writeEvent, type TalkOptions } from '../talk.ts';
import { tellGithub } from '../github.ts';
import { boundText } from '../../load/plan/plan.ts';
import { plainPalette, type Palette } from '../../core/palette.ts';
import { formatLatency } from '../../report/load/loadText.ts';
import { formatCount, formatRate } from '../../load/summary/rate.ts';
import { formatDuration, plural } from '../../report/text/format.ts';
import { createBlock } from '../progress/render.ts';

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

interface LoadProgress {
  readonly start: (view: LoadView) => void;
  readonly notice: (text: string) => void;
  readonly stop: () => void;
}

/** For a load that only prints its verdict. */
const silentLoadProgress: LoadProgress = {
  start: () => undefined,
  notice: () => undefined,
  stop: () => undefined,
};

const redrawMs = 500;
const statusMs = 5000;

/** Shows a load on stderr: one block that is redrawn on a terminal, occasional plain lines elsewhere. */
export function createLoadProgress(output: Output, clock: Clock): LoadProgress {
  const block = createBlock(output);
  let view: LoadView | null = null;
  let cancel = () => undefined as unknown;
  const tick = () => {
    if (view !== null) {
      const line = renderLoadLine(
        view,
        clock.monotonic(),
        output.interactive ? output.palette : plainPalette,
      );
      if (output.interactive) block.draw(line.map((text) => cut(text, output.columns)));
      else output.write(`${line.join(' · ')}\n`);
    }
    cancel = clock.timer(output.interactive ? redrawMs : statusMs, tick);
  };
  return {
    start: (started) => {
      // The trials of one search for a capacity begin one after another.
      cancel();
      view = started;
      block.print(renderStart(started));
      tick();
    },
    notice: (text) => block.print(text),
    stop: () => {
      cancel();
      view = null;
      block.draw([]);
    },
  };
}

function renderStart({ runId, target, plan, planned, keys, connections }: LoadView): string {
  const time = formatDuration(plan.durationMs);
  const isShaped = plan.stages !== undefined || plan.ownShapes !== undefined;
  const rate = `${isShaped ? 'up to ' : ''}${formatRate(plan.ratePerSecond)}`;
  const what =
    connections === null
      ? `${rate} ${plan.arrivals} for ${time}, ${formatCount(planned)} ${plannedOf(plan)} over ${plural(keys, 'key')}, ${boundText(plan)}`
      : `as much as it gives for ${time}, over ${plural(connections, 'connection')} and ${plural(keys, 'key')}`;
  return `load ${runId} · ${target} · seed ${plan.seed} · ${what}`;
}

/** What a plan counts: journeys send as much as they come to. */
function plannedOf({ journeys, mix }: LoadView['plan']): string {
  if (journeys === undefined) return 'requests';
  return mix.length === 0 ? 'journeys' : 'requests and journeys';
}

/** One screen: progress, figures, and anything that needs attention. */
function renderLoadLine(view: LoadView, now: number, palette: Palette): readonly string[] {
  const { plan, planned, connections, recorder, startedAt } = view;
  const figures = liveFigures(view, now);
  const { elapsedMs, ok, refused, errors, missed, lost, callbacks, journeys, broken } = figures;
  const isOfJourneys = plan.journeys !== undefined;
  // What is done after the last request, such as a look at the lists, makes no rate smaller.
  const sinceMs = isOfJourneys ? now - startedAt : Math.min(now - startedAt, plan.durationMs);
  const rate = recorder.sent / Math.max(1, sinceMs / 1000);
  const paint = (count: number, text: string) => (count > 0 ? palette.yellow(text) : text);
  const stage =
    figures.stages > 1
      ? ` · stage ${figures.stage} of ${figures.stages}, ${formatRate(figures.wantedPerSecond)} planned`
      : '';
  return [
    `${formatDuration(Math.min(elapsedMs, plan.durationMs))} of ${formatDuration(plan.durationMs)} · ${formatCount(recorder.sent)}${connections === null && !isOfJourneys ? ` of ${formatCount(planned)}` : ''} sent · ${formatRate(rate)}${stage}`,
    [
      `${formatCount(ok)} ok`,
      `p50 ${formatLatency(figures.p50Ms)}`,
      `p99 ${formatLatency(figures.p99Ms)}`,
      `${figures.inFlight} in flight`,
      paint(refused, `${refused} × 429`),
      errors > 0 ? palette.red(`${errors} errors`) : '0 errors',
      ...(missed > 0 ? [palette.yellow(`${missed} missed`)] : []),
      ...(lost > 0 ? [palette.yellow(`${lost} lost`)] : []),
      ...(broken > 0 ? [palette.red(`${broken} ${broken === 1 ? 'rule' : 'rules'} broken`)] : []),
    ].join(' · '),
    ...(callbacks === null || callbacks.count === 0
      ? []
      : [
          `${callbacks.count} callbacks · p50 ${formatLatency(callbacks.p50Ms)} · p99 ${formatLatency(callbacks.p99Ms)}`,
        ]),
    ...journeys.map(
      ({ journey, begun, done, failed }) =>
        `${journey}: ${begun} begun · ${done} done${failed > 0 ? ` · ${palette.red(`${failed} failed`)}` : ''}`,
    ),
  ];
}

/** Color codes take no space; a slightly shorter line does no harm. */
function cut(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, columns);
}
