import { joined, otherDigits, word } from '../kit/characters.ts';
import { impossibleDatesAfter, oneDigitDateAfter, renderShortDate } from '../kit/impossibleDates.ts';
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
