import * as fc from 'fast-check';
import { oneOf } from '../kit/characters.ts';
import { impossibleDatesAfter, oneDigitDateAfter, renderShortDate } from '../kit/impossibleDates.ts';
import { digits, renderDate, type LocalDateTime } from '../kit/localTime.ts';
import { dateTimeForm, preferredForm, renderDateTime } from './clockSpelling.ts';

/** Writes a wall clock, in a form that the documents tolerate or in another one. */
export type Render = (at: LocalDateTime) => string;

const minuteOf = ({ hour, minute }: LocalDateTime) => `${digits(hour, 2)}:${digits(minute, 2)}`;
const clockOf = (at: LocalDateTime) => `${minuteOf(at)}:${digits(at.second, 2)}`;
export const on = (date: string, at: LocalDateTime) => `${date}T${clockOf(at)}`;
export const full = (at: LocalDateTime) => on(renderDate(at), at);
export const plain = (at: LocalDateTime) => `${renderDate(at)}T${minuteOf(at)}:00`;
export const manyDigits = fc.string({ unit: oneOf('0123456789'), minLength: 4, maxLength: 9 });

export function freeText(): fc.Arbitrary<Render> {
  return fc.constantFrom('tomorrow', 'not a date').map((words) => () => words);
}

export function withTime(...times: readonly string[]): fc.Arbitrary<Render> {
  return fc.constantFrom(...times).map((clock) => (at) => `${renderDate(at)}T${clock}`);
}

export function withSecond(second: number): Render {
  return (at) => renderDateTime({ ...at, second }, preferredForm);
}

export function withFraction(digitsOf: fc.Arbitrary<string>): fc.Arbitrary<Render> {
  const suffix = fc.constantFrom('', 'Z', '+04:00');
  return fc.tuple(digitsOf, suffix).map(
    ([fraction, after]) =>
      (at) =>
        `${full(at)}.${fraction}${after}`,
  );
}

/** Such a wall clock in any tolerated spelling. */
export function inForms(change: (at: LocalDateTime) => LocalDateTime): fc.Arbitrary<Render> {
  return dateTimeForm.map((form) => (at) => renderDateTime(change(at), form));
}

export function withPart(part: Partial<LocalDateTime>) {
  return (at: LocalDateTime) => ({ ...at, ...part });
}

export function noDay(): fc.Arbitrary<Render> {
  return fc.tuple(fc.nat({ max: 3 }), dateTimeForm).map(([index, form]) => (at) => {
    const dates = impossibleDatesAfter(at, 4);
    return renderDateTime({ ...at, ...dates[index % dates.length] }, form);
  });
}

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
