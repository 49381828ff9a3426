import { expect, test } from 'vitest';
import { impossibleDatesAfter, oneDigitDateAfter, parseDate, renderShortDate } from './impossibleDates.ts';
import { renderDate } from './localTime.ts';

test.each([
  ['2031-01-15', 4, ['2031-02-29', '2031-02-30', '2031-04-31']],
  ['2032-02-10', 2, ['2032-02-30']],
  ['2031-11-20', 4, ['2031-11-31', '2032-02-30']],
  ['2031-07-01', 3, ['2031-09-31']],
])('after %s the next days that do not exist, within %i months, are %j', (date, months, expected) => {
  expect(impossibleDatesAfter(parseDate(date), months).map(renderDate)).toEqual(expected);
});

test.each([
  ['2031-03-04', '2031-3-5'],
  ['2031-03-08', '2031-3-9'],
  ['2031-03-09', '2031-4-4'],
  ['2031-09-30', '2032-1-4'],
  ['2031-12-31', '2032-1-4'],
])('the next date of one digit after %s is %s', (date, expected) => {
  expect(renderShortDate(oneDigitDateAfter(parseDate(date)))).toBe(expected);
});

test('a date is read from the front of a clock, spaces aside', () => {
  expect(parseDate('  2031-03-04 10:20')).toEqual({ year: 2031, month: 3, day: 4 });
});
