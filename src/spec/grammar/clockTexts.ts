import { joined, otherDigits, word } from '../kit/characters.ts';
import {
  impossibleDatesAfter,
  oneDigitDateAfter,
  renderShortDate,
  isCalendarDay,
} from '../kit/impossibleDates.ts';
import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';
import { mapped, oneOf, type Make } from '../kit/mutation.ts';
import { anySpelling, preferredForm, renderDateTime } from './clockSpelling.ts';

/** Writes a wall clock, in a form that the documents tolerate or in another one. */
export type Render = (at: LocalDateTime) => string;

/** Any of several ways to write it. */
export interface Several {
  readonly several: Make<Render>;
}

const minuteOf = ({ hour, minute }: LocalDateTime) => `${digits(hour, 2)}:${digits(minute, 2)}`;
const clockOf = (at: LocalDateTime) => `${minuteOf(at)}:${digits(at.second, 2)}`;
export const on = (date: string, at: LocalDateTime) => `${date}T${clockOf(at)}`;
export const full = (at: LocalDateTime) => on(renderDate(at), at);
export const plain = (at: LocalDateTime) => `${renderDate(at)}T${minuteOf(at)}:00`;
export const manyDigits = word('0123456789', 4, 9);

export const freeText: Several = { several: mapped(oneOf('tomorrow', 'not a date'), (words) => () => words) };

export function withTime(...times: readonly string[]): Several {
  return { several: mapped(oneOf(...times), (clock) => (at) => `${renderDate(at)}T${clock}`) };
}

export function withSecond(second: number): Render {
  return (at) => renderDateTime({ ...at, second }, preferredForm);
}

export function withFraction(digitsOf: Make<string>): Several {
  return {
    several: mapped(joined(digitsOf, oneOf('', 'Z', '+04:00')), (end) => (at) => `${full(at)}.${end}`),
  };
}

/** Such a wall clock in any tolerated spelling. */
export function inForms(change: (at: LocalDateTime) => LocalDateTime): Several {
  return { several: mapped(anySpelling, (form) => (at) => renderDateTime(change(at), form)) };
}

export function withPart(part: Partial<LocalDateTime>) {
  return (at: LocalDateTime) => ({ ...at, ...part });
}

export const noDay: Several = {
  several: (fc) =>
    fc.tuple(fc.nat({ max: 3 }), anySpelling(fc)).map(([index, form]) => (at) => {
      const dates = impossibleDatesAfter(at, 4);
      return renderDateTime({ ...at, ...dates[index % dates.length] }, form);
    }),
};

/** Read as the last day of the month before, it is a date that is yet to come. */
export function dayZero(at: LocalDateTime): LocalDateTime {
  const [year, month] = at.month < 11 ? [at.year, at.month + 2] : [at.year + 1, at.month - 10];
  return { ...at, year, month, day: 0 };
}

/** Read as the December before, it is not over yet. */
export function monthZero(at: LocalDateTime): LocalDateTime {
  return { ...at, year: at.year + 1, month: 0 };
}

export function dayFirst(at: LocalDateTime): string {
  return `${digits(at.day, 2)}/${digits(at.month, 2)}/${at.year} ${minuteOf(at)}`;
}

export function inOtherDigits(at: LocalDateTime): string {
  return otherDigits.arabic(plain(at));
}

export function epochSeconds(at: LocalDateTime): string {
  return String(Date.parse(`${full(at)}Z`) / 1000);
}

export function oneDigitMonth(at: LocalDateTime): string {
  const { year, month, day } = oneDigitDateAfter(at);
  return on(`${year}-${month}-${digits(day, 2)}`, at);
}

export function oneDigitDay(at: LocalDateTime): string {
  return on(renderShortDate(oneDigitDateAfter(at)).replace(/-(\d)-/, '-0$1-'), at);
}

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
