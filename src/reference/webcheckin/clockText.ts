import type { WallClock } from '../shared/localTime.ts';

/** Which texts are a flight clock (Flight, departure_datetime). */
export interface ClockFormat {
  readonly separators: string;
  /** Between year, month and day: characters of a class of a regular expression. */
  readonly dateSeparators: string;
  readonly seconds: 'optional' | 'required';
  readonly fractionDigits: readonly [least: number, most: number];
  /** Alternatives of a regular expression. */
  readonly suffixes: string;
  readonly trims: boolean;
  /** What is trimmed. */
  readonly around: RegExp;
  /** Least digits of month, day, hour and minute. */
  readonly leastDigits: 1 | 2;
  readonly time: 'required' | 'optional';
  /** Whether 02-30 is taken for 03-02, as `Date` does. */
  readonly rollsOver: boolean;
  readonly leapYears: boolean;
  /** Numbers of the first and the last month of a year, and of the first day of a month. */
  readonly months: readonly [first: number, last: number];
  readonly firstDay: number;
  /** Whether hours, minutes and seconds are judged. */
  readonly judgesTime: boolean;
}

export const documentedClockFormat: ClockFormat = {
  separators: 'T ',
  dateSeparators: '-',
  seconds: 'optional',
  fractionDigits: [1, 3],
  suffixes: 'Z|[+-](?:0\\d|1[0-4]):[0-5]\\d|[+-](?:0\\d|1[0-4])[0-5]\\d',
  trims: true,
  around: /^[ \t\r\n]+|[ \t\r\n]+$/g,
  leastDigits: 2,
  time: 'required',
  rollsOver: false,
  leapYears: true,
  months: [1, 12],
  firstDay: 1,
  judgesTime: true,
};

type ClockReading =
  | { readonly ok: true; readonly wall: WallClock; readonly suffix: string | null }
  | { readonly ok: false; readonly reason: 'format' | 'calendar' };

/** Reads a flight clock; `corners` decides about the forms on which the documents are silent (fraction without seconds, 24:00, …). */
export function parseClock(text: string, format: ClockFormat, corners: 'refused' | 'accepted'): ClockReading {
  const loose = corners === 'accepted';
  const trimmed = !format.trims ? text : loose ? text.trim() : text.replace(format.around, '');
  const groups = pattern(format, loose).exec(trimmed)?.groups;
  if (!groups) return { ok: false, reason: 'format' };
  const wall = wallClock(groups);
  if (!format.rollsOver && !isReal(wall, format, loose)) return { ok: false, reason: 'calendar' };
  return { ok: true, wall, suffix: groups.suffix ?? null };
}

const patterns = new Map<ClockFormat, { strict: RegExp; loose: RegExp }>();

function pattern(format: ClockFormat, loose: boolean): RegExp {
  let both = patterns.get(format);
  if (!both) {
    both = { strict: buildPattern(format, false), loose: buildPattern(format, true) };
    patterns.set(format, both);
  }
  return loose ? both.loose : both.strict;
}

function buildPattern(format: ClockFormat, loose: boolean): RegExp {
  const number = format.leastDigits === 2 ? '\\d{2}' : '\\d{1,2}';
  const separators = loose ? `${format.separators}t` : format.separators;
  const suffixes = loose ? `${format.suffixes}|z|[+-]\\d{2}(?::?\\d{2})?` : format.suffixes;
  const fraction = `\\.(?<fraction>\\d{${format.fractionDigits.join(',')}})`;
  const seconds = loose
    ? `(?::(?<second>\\d{2}))?(?:${fraction})?`
    : `(?::(?<second>\\d{2})(?:${fraction})?)?`;
  const clock = `[${separators}](?<hour>${number}):(?<minute>${number})${
    format.seconds === 'required' ? seconds.replace(/\?$/, '') : seconds
  }(?:${loose ? ' ?' : ''}(?<suffix>${suffixes}))?`;
  const between = `[${format.dateSeparators}]`;
  const date = `(?<year>\\d{4})${between}(?<month>${number})${between}(?<day>${number})`;
  return new RegExp(`^${date}${format.time === 'optional' ? `(?:${clock})?` : clock}$`);
}

function wallClock(groups: Record<string, string | undefined>): WallClock {
  const read = (name: string) => Number(groups[name] ?? 0);
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
    millisecond: Number((groups.fraction ?? '0').padEnd(3, '0').slice(0, 3)),
  };
}

function isReal(wall: WallClock, format: ClockFormat, loose: boolean): boolean {
  return isRealDate(wall, format) && (!format.judgesTime || isRealTime(wall, loose));
}

function isRealDate({ year, month, day }: WallClock, format: ClockFormat): boolean {
  const [first, last] = format.months;
  const lastDay = new Date(Date.UTC(format.leapYears ? year : 2001, month, 0)).getUTCDate();
  return month >= first && month <= last && day >= format.firstDay && day <= lastDay;
}

function isRealTime({ hour, minute, second }: WallClock, loose: boolean): boolean {
  const midnight24 = loose && hour === 24 && minute === 0 && second === 0;
  return (hour <= 23 || midnight24) && minute <= 59 && second <= (loose ? 60 : 59);
}

/** `YYYY-MM-DDTHH:mm:ss` of a reading. */
export function formatClock(wall: WallClock): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    `${String(wall.year).padStart(4, '0')}-${two(wall.month)}-${two(wall.day)}` +
    `T${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}`
  );
}
