import { VirtualClock } from '../../src/core/virtualClock.ts';
import { Scheduler, type Task } from '../../src/engine/session/scheduler.ts';
import type { Turn } from '../../src/engine/attempt/turn.ts';

/** A task in steps. */
export interface Sketch {
  /** Consecutive steps: how long each works, rests or waits for room. */
  readonly steps: readonly (readonly ['work' | 'rest' | 'pause', ms: number])[];
  readonly beside?: Task['beside'];
  readonly size?: number;
  readonly isFirst?: boolean;
  readonly when?: Task['when'];
  readonly hasRoom?: () => boolean;
  readonly makeRoom?: () => Promise<void>;
}

/** When a task was at work, or waited. */
export interface Span {
  readonly task: number;
  readonly from: number;
  readonly to: number;
  readonly isAtWork: boolean;
}

/** Runs tasks; returns when each was working or waiting. */
export async function spansOf(
  width: number,
  sketches: readonly Sketch[],
  clock = new VirtualClock(0),
  longestFirst = false,
) {
  const scheduler = new Scheduler(
    () => width,
    () => longestFirst,
  );
  const spans: Span[] = [];
  sketches.forEach((sketch, task) => {
    const {
      steps,
      when,
      size = 0,
      beside = 'others',
      isFirst = false,
      hasRoom = () => true,
      makeRoom,
    } = sketch;
    const run = async (turn: Turn) => {
      for (const [kind, ms] of steps) {
        const from = clock.monotonic();
        if (kind === 'work') await clock.sleep(ms);
        else await turn[kind](() => clock.sleep(ms));
        spans.push({ task, from, to: clock.monotonic(), isAtWork: kind === 'work' });
      }
    };
    scheduler.add({
      ...(when && { when }),
      size,
      isFirst,
      beside,
      run,
      hasRoom,
      makeRoom: makeRoom ?? (() => Promise.resolve()),
    });
  });
  await scheduler.idle();
  return spans;
}

export const times = (spans: readonly Span[]) => spans.map(({ task, from, to }) => [task, from, to]);
export const working = (ms: number, more: Partial<Sketch> = {}): Sketch => ({
  steps: [['work', ms]],
  ...more,
});
