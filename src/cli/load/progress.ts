import type { Clock } from '../../core/clock.ts';
import type { LoadView } from '../../run/load.ts';
import { plainPalette, type Palette } from '../../core/palette.ts';
import { formatDuration } from '../../report/text/format.ts';
import { createBlock } from '../progress/block.ts';
import type { Output } from '../../core/io.ts';

interface LoadProgress {
  readonly start: (view: LoadView) => void;
  readonly notice: (text: string) => void;
  readonly stop: () => void;
}

const redrawMs = 500;
const statusMs = 5000;

/** Shows a load on stderr: one block that is drawn anew on a terminal, a plain line now and then elsewhere. */
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
  const bound = plan.withinLimits ? 'within the limits' : 'beyond the limits';
  const what =
    connections === null
      ? `${plan.ratePerSecond.toFixed(2)}/s ${plan.arrivals} for ${time}, ${planned} requests over ${keys} keys, ${bound}`
      : `as much as it gives for ${time}, over ${connections} connections and ${keys} keys`;
  return `load ${runId} · ${target} · seed ${plan.seed} · ${what}`;
}

/** Two lines: how far it is, and how it goes. */
function renderLoadLine(
  { plan, planned, connections, recorder, startedAt }: LoadView,
  now: number,
  palette: Palette,
): readonly string[] {
  const elapsed = Math.max(0, now - startedAt);
  const latency = recorder.latency(null);
  const { ok, refused, error } = recorder.counts;
  const rate = recorder.sent / Math.max(1, elapsed / 1000);
  const missed = recorder.missedCount;
  const paint = (count: number, text: string) => (count > 0 ? palette.yellow(text) : text);
  return [
    `${formatDuration(Math.min(elapsed, plan.durationMs))} of ${formatDuration(plan.durationMs)} · ${recorder.sent}${connections === null ? ` of ${planned}` : ''} sent · ${rate.toFixed(1)}/s`,
    [
      `${ok} ok`,
      `p50 ${formatDuration(latency.percentile(50))}`,
      `p99 ${formatDuration(latency.percentile(99))}`,
      paint(refused, `${refused} × 429`),
      error > 0 ? palette.red(`${error} errors`) : '0 errors',
      ...(missed > 0 ? [palette.yellow(`${missed} missed`)] : []),
      ...(recorder.lost > 0 ? [palette.yellow(`${recorder.lost} lost`)] : []),
    ].join(' · '),
  ];
}

/** Colour codes take no room; a line that is a little too short does no harm. */
function cut(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, columns);
}
