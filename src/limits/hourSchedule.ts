import type { Settings } from '../core/settings.ts';
import type { ScheduleStep } from './schedule.ts';

/** Between two batches: nothing of the one counts against the minute of the next, however late it arrives. */
const batchMs = 70_000;

/**
 * The schedule for the hour: all but a few of its requests late in the hour of an early one, so that a window that opened
 * with that one closes between them and what comes after; and probes that no aligned window can turn in between of. Null
 * where the minute limit never lets so many through.
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
  const earlyAt = fillAt - 120_000;
  const hourMs = 3_600_000;
  return [
    step(0, 1),
    step(earlyAt, early),
    ...Array.from({ length: batches }, (_, index) =>
      step(fillAt + index * batchMs, Math.min(batch, rest - index * batch)),
    ),
    // The last of all come when the minute is empty: what is refused of them is refused by the hour.
    step(3_400_000, few),
    // Probes go one by one: of those that meet, a limit of bursts may refuse some where answers are slow.
    step(3_500_000, 3, 'in-turn'),
    // The first one has left: one place, and a window that it opened is over.
    step(hourMs + 12_000, 8, 'in-turn'),
    step(4_500_000, 3, 'in-turn'),
    step(5_200_000, 3, 'in-turn'),
    step(earlyAt + hourMs - 10_000, 3, 'in-turn'),
    // The places that have come free: only the last of them in turn, where a race might let more through.
    step(earlyAt + hourMs + 12_000, Math.max(0, early - 6)),
    step(earlyAt + hourMs + 12_000, Math.min(early, 6) + 4, 'in-turn'),
    step(fillAt + hourMs - 10_000, 3, 'in-turn'),
  ].sort((a, b) => a.atMs - b.atMs);
}

/** So few at once that a minute limit of any kind lets them through. */
export function batchOf(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute * 0.9));
}
