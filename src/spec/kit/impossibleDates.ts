import { digits, type LocalDateTime } from './localTime.ts';

type CalendarDate = Pick<LocalDateTime, 'year' | 'month' | 'day'>;

/**
 * Days that the calendar does not have, within `months` after a date: 30 February, 31 April and the like. A service that
 * rolls them over reads a date in the near future, so that no other rule hides the fault.
 */
export function impossibleDatesAfter({ year, month }: CalendarDate, months: number): readonly CalendarDate[] {
  return Array.from({ length: months }, (_, index) => new Date(Date.UTC(year, month - 1 + index, 1))).flatMap(
    (first) => daysBeyond(first.getUTCFullYear(), first.getUTCMonth() + 1),
  );
}

/** The next date whose month and day have one digit each, at least a day later. */
export function oneDigitDateAfter({ year, month, day }: CalendarDate): CalendarDate {
  if (month < 10 && day < 9) return { year, month, day: day + 1 };
  return month < 9 ? { year, month: month + 1, day: 4 } : { year: year + 1, month: 1, day: 4 };
}

/** Year, month and day of a text that begins with `YYYY-MM-DD`, ignoring leading spaces. */
export function parseDate(text: string): CalendarDate {
  const [year = 0, month = 0, day = 0] = text.trim().slice(0, 10).split('-').map(Number);
  return { year, month, day };
}

/** Month and day without their leading zeros. */
export function renderShortDate({ year, month, day }: CalendarDate): string {
  return `${digits(year, 4)}-${String(month)}-${String(day)}`;
}

function daysBeyond(year: number, month: number): readonly CalendarDate[] {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const beyond = [29, 30, 31].filter((day) => day > days && (month === 2 ? day < 31 : true));
  return beyond.map((day) => ({ year, month, day }));
}

/** Whether a text is `YYYY-MM-DD` and that day exists. Without a Date: many forms ask. */
export function isCalendarDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return Number(day) > 0 && Number(day) <= daysOf(Number(year), Number(month));
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return month > 12 ? 0 : ([0, 31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0);
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
