import type { Settings } from '../core/settings.ts';

/** Requests that are sent at one time. */
export interface ScheduleStep {
  /** Milliseconds after the first step. */
  readonly atMs: number;
  readonly count: number;
  /** All at the same time, or each after the answer to the previous one. */
  readonly way: 'together' | 'in-turn';
  /** Whose key they carry: the tested key, a second key of its enterprise, or a key of another enterprise. */
  readonly key: 'tested' | 'second' | 'other';
  /** To the tenth of a second: the answers are there just before `atMs`, where other steps may be up to a second late. */
  readonly isExact?: true;
}

/**
 * The schedule that distinguishes all models within three windows (N = 60: 263 requests, of which 98 to 180 are admitted by
 * a conforming limiter). Each burst is there for something:
 *
 * - 0: more than fit, at once: shows the exact N, a race, or scopes that each count separately.
 * - 1/2 window: a conforming limiter admits nothing. A token bucket has N/2, an aligned window or a counter may have turned.
 * - 5/6: nothing either; catches aligned windows that turn later.
 * - 19/20: nothing either: the first burst is not yet a window old. A few, of a log with a shorter window.
 * - 6/5: the first burst has left. A few, which find no room if the refused ones before them count.
 * - 53/30: N and more, late in a window that the last burst opened.
 * - 63/30: nothing: an edge of the clock, where the window of a first request is still closed.
 * - 69/30: after that window closed: some of them in turn, without a race, and enough
 *   of them to distinguish a fresh window from a sliding one.
 */
export function minuteSchedule(limit: number, windowMs: number): readonly ScheduleStep[] {
  const part = (share: number) => Math.max(1, Math.round(limit * share));
  const at = (share: number) => Math.round(windowMs * share);
  const step = (share: number, count: number, given: Partial<ScheduleStep> = {}): ScheduleStep => ({
    atMs: at(share),
    count,
    way: 'together',
    key: 'tested',
    ...given,
  });
  return [
    step(0, limit + part(29 / 60)),
    step(1 / 2, part(38 / 60)),
    step(1 / 2, 3, { key: 'second' }),
    step(1 / 2, 3, { key: 'other' }),
    step(5 / 6, part(15 / 60)),
    step(19 / 20, part(3 / 60)),
    step(6 / 5, part(20 / 60)),
    step(53 / 30, part(45 / 60)),
    step(63 / 30, part(8 / 60)),
    step(69 / 30, part(15 / 60)),
    step(69 / 30, part(10 / 60), { way: 'in-turn' }),
    step(69 / 30, part(20 / 60)),
  ];
}

/**
 * Shows to the tenth of a second when a place comes free, and whether a wait that was announced is long enough:
 *
 * - 0: a lone request, so that it is known when it was counted.
 * - 1/3 window: all others that fit.
 * - 1/3 and some two seconds: refused, with a wait that is no whole number of seconds.
 * - 1: just before the first one leaves the window: refused, after more than the wait if that is a second short.
 */
export function edgeSchedule(limit: number, windowMs: number): readonly ScheduleStep[] {
  const step = (atMs: number, count: number, given: Partial<ScheduleStep> = {}): ScheduleStep => ({
    atMs,
    count,
    way: 'in-turn',
    key: 'tested',
    ...given,
  });
  const filledAt = Math.round(windowMs / 3);
  return [
    step(0, 1),
    step(filledAt, limit - 1, { way: 'together' }),
    step(filledAt + 2300, 3, { way: 'together', isExact: true }),
    step(windowMs, 1, { isExact: true }),
  ].filter(({ count }) => count > 0);
}

/**
 * Shows within seconds whose requests count together: the other keys, which have hardly sent anything, are served before one key
 * uses up its limit, and refused after that if it is theirs as well.
 */
export function scopeSchedule(limit: number): readonly ScheduleStep[] {
  const one = (key: 'second' | 'other'): ScheduleStep => ({ atMs: 0, count: 1, way: 'in-turn', key });
  const others = [one('second'), one('other')];
  return [...others, { atMs: 0, count: limit, way: 'together', key: 'tested' }, ...others];
}

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
