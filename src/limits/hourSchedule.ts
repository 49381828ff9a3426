import type { Settings } from '../core/settings.ts';
import type { ScheduleStep } from './schedule.ts';

/** Time between two batches: nothing of one counts against the minute of the next, however late it arrives. */
const batchMs = 70_000;

/**
 * The schedule for the hour limit: all but a few of its requests are sent late in the hour that an early one started, so that a
 * window opened by that one closes before the rest; and the probes are timed so that no aligned window can turn between them.
 * Null if the minute limit never lets enough requests through.
 */
export function hourSchedule({ perMinute, perHour }: Settings['limits']): readonly ScheduleStep[] | null {
  const batch = batchOf(perMinute);
  const few = Math.max(1, Math.floor(batch / 6));
  const early = Math.min(Math.floor(batch / 2), Math.floor(perHour / 3));
  const rest = perHour - 1 - early - few;
  const batches = Math.ceil(rest / batch);
  const fillAt = 3_290_000 - batches * batchMs;
  if (rest < 1 || fillAt < 400_000) return null;
  const step = (atMs: number, count: number, way: ScheduleStep['way'] = 'together'): ScheduleStep => ({
    atMs,
    count,
    way,
    key: 'tested',
  });
  const exact = (atMs: number, count: number): ScheduleStep => ({
    ...step(atMs, count, 'in-turn'),
    isExact: true,
  });
  const earlyAt = fillAt - 120_000;
  const hourMs = 3_600_000;
  return [
    step(0, 1),
    step(earlyAt, early),
    ...Array.from({ length: batches }, (_, index) =>
      step(fillAt + index * batchMs, Math.min(batch, rest - index * batch)),
    ),
    // The last ones are sent when the minute is empty: what is refused of them is refused by the hour.
    step(3_400_000, few),
    // Probes are sent one by one: if several arrive together, a burst limit may refuse some when answers are slow.
    exact(3_500_300, 3),
    // The first one is still there, and a wait that is a second short is over.
    exact(hourMs, 1),
    // The first one has left the window: one place is free, and a window that it opened is over.
    step(hourMs + 12_000, 8, 'in-turn'),
    step(4_500_000, 3, 'in-turn'),
    step(5_200_000, 3, 'in-turn'),
    step(earlyAt + hourMs - 10_000, 3, 'in-turn'),
    // The places that have become free; only the last of them one by one, where a race might let more through.
    step(earlyAt + hourMs + 12_000, Math.max(0, early - 6)),
    step(earlyAt + hourMs + 12_000, Math.min(early, 6) + 4, 'in-turn'),
    step(fillAt + hourMs - 10_000, 3, 'in-turn'),
  ].sort((a, b) => a.atMs - b.atMs);
}

/** A batch that a minute limit of any kind lets through at once. */
export function batchOf(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute * 0.9));
}
