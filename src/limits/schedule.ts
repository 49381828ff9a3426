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
