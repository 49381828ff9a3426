import type { Clock } from '../core/clock.ts';
import type { Listener } from '../engine/events.ts';
import type { Output } from '../core/io.ts';
import { createBlock } from './progress/block.ts';
import { renderEvent, renderProgress, renderStatusLine, renderTraffic } from './progress/render.ts';
import { advanceProgress, initialProgress, isKnown } from './progress/state.ts';

export interface ProgressDisplay {
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
