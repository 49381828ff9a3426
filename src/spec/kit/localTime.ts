import { keptFor } from '../../core/latest.ts';

/** A wall clock: local date and time without a zone. */
export interface LocalDateTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The wall clock of an IANA zone at an instant (epoch ms), exact to the second. */
export function localDateTime(instant: number, zone: string): LocalDateTime {
  const local = new Date(instant + aheadAt(instant, zone));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
  };
}

const quarterMs = 15 * minuteMs;
const mostQuarters = 4096;
/** By zone and quarter of an hour: `Intl` takes fifty times as long, and clocks change at the beginning of a quarter. */
const aheadOf = new Map<string, number>();

/** Milliseconds that the zone's clock is ahead of UTC, in the quarter of an hour of an instant. */
function aheadAt(instant: number, zone: string): number {
  const quarter = Math.floor(instant / quarterMs);
  const name = `${zone} ${quarter}`;
  let ahead = aheadOf.get(name);
  if (ahead === undefined) {
    ahead = utcOf(readClock(quarter * quarterMs, zone)) - quarter * quarterMs;
    if (aheadOf.size >= mostQuarters) aheadOf.clear();
    aheadOf.set(name, ahead);
  }
  return ahead;
}

function readClock(instant: number, zone: string): LocalDateTime {
  const parts = formatterOf(zone).formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? Number.NaN);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  };
}

/**
 * The instants at which a zone's clock shows this wall clock, earliest first: one as a rule, none in an hour that
 * daylight saving skips, two in an hour that it repeats.
 */
export function instantsOf(local: LocalDateTime, zone: string): readonly number[] {
  const asUtc = utcOf(local);
  const [before, after] = [offsetAt(asUtc - dayMs, zone), offsetAt(asUtc + dayMs, zone)];
  // No zone changes its clock twice in two days.
  if (before === after) return [asUtc - before];
  return [asUtc - before, asUtc - after]
    .filter((instant) => utcOf(localDateTime(instant, zone)) === asUtc)
    .sort((earlier, later) => earlier - later);
}

/** The first instant from `instant` on, in steps of an hour, whose wall clock is unambiguous. */
export function unambiguousFrom(instant: number, zone: string): number {
  let candidate = instant;
  while (instantsOf(localDateTime(candidate, zone), zone).length !== 1) candidate += hourMs;
  return candidate;
}

/** Milliseconds that the zone's clock is ahead of UTC at an instant. */
export function offsetAt(instant: number, zone: string): number {
  const wholeSecond = Math.floor(instant / 1000) * 1000;
  return utcOf(localDateTime(wholeSecond, zone)) - wholeSecond;
}

/** The epoch milliseconds at which UTC shows this wall clock. */
function utcOf({ year, month, day, hour, minute, second }: LocalDateTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** `YYYY-MM-DD` of a wall clock. */
export function renderDate({ year, month, day }: Pick<LocalDateTime, 'year' | 'month' | 'day'>): string {
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** `YYYY-MM-DD` of the UTC day `days` after that of `now`. */
export function utcDate(now: number, days = 0): string {
  return dateOfDay(Math.floor(now / dayMs) + days);
}

const dateOfDay = keptFor((day: number) => new Date(day * dayMs).toISOString().slice(0, 10), 1000);

export function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
}
