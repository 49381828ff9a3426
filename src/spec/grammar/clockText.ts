import { isCalendarDay } from '../kit/impossibleDates.ts';

/** A text that should be a flight's clock, taken apart as far as it goes. */
export interface WrittenClock {
  readonly text: string;
  /** White space before and after it. */
  readonly around: string;
  /** Digits of year, month and day; null if it does not begin with them. */
  readonly date: readonly [year: string, month: string, day: string] | null;
  /** What stands behind the date; null for nothing that begins with a time. */
  readonly time: WrittenTime | null;
  readonly rest: string;
}

interface WrittenTime {
  readonly separator: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string | null;
  readonly fraction: string | null;
  /** Without the white space behind it. */
  readonly suffix: string;
}

let latest = takenApart('');

/** Takes a text apart; many ask about the same one, one after another. */
export function readClock(text: string): WrittenClock {
  if (latest.text !== text) latest = takenApart(text);
  return latest;
}

function takenApart(text: string): WrittenClock {
  const around = text.trim() === '' ? '' : text.replace(text.trim(), '');
  const [, year = '', month = '', day = '', rest = ''] =
    /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(.*)$/s.exec(text) ?? [];
  if (year === '') return { text, around, date: null, time: null, rest: '' };
  const [, separator = '', hour = '', minute = '', second = null, fraction = null, end = ''] =
    /^([Tt ])(\d+):(\d+)(?::(\d+))?(?:\.(\d*))?(.*)$/s.exec(rest) ?? [];
  const time = { separator, hour, minute, second, fraction, suffix: end.trimEnd() };
  return { text, around, date: [year, month, day], time: separator === '' ? null : time, rest };
}

/** Whether its date is a day of the calendar. */
export function isRealDay({ date }: WrittenClock): boolean {
  return isCalendarDay(date?.join('-') ?? '');
}

/** The tolerated spellings in a clock, other than the preferred ones. */
export function spellingsOf({ around, time }: WrittenClock): readonly string[] {
  if (time === null) return [];
  const { separator, second, fraction, suffix } = time;
  return [
    ...(around === '' ? [] : ['around']),
    ...(separator === ' ' ? ['space'] : []),
    ...(second === null ? ['minutes'] : fraction === null ? [] : ['fraction']),
    ...(suffix === '' ? [] : [suffix === 'Z' ? 'z' : suffix.includes(':') ? 'colon' : 'offset']),
  ];
}
